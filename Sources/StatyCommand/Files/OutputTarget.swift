import LibC

/// What an output path leads to.
enum OutputTarget: Equatable {
  /// A regular file, or nothing yet, at this path, which is no link.
  case file(String)
  /// A file that this process was given open. It must not be opened again: that would overwrite
  /// what other processes have written.
  case given(Int32)
  /// Anything else, such as a device.
  case other

  /// The path of a file; none of anything else.
  var path: String? { if case .file(let path) = self { path } else { nil } }

  /// The numbers that a shell gives to open files.
  private static let givenNumbers: ClosedRange<Int32> = 1...9

  init(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      self = .file(path)
      return
    }
    let isLink = status.st_mode & S_IFMT == S_IFLNK
    if stat(path, &status) != 0 {
      self = .other
    } else if let number = Self.givenNumbers.first(where: { Self.isOpen(status, as: $0) }) {
      self = .given(number)
    } else if status.st_mode & S_IFMT == S_IFREG {
      self = isLink ? path.resolvedPath.map { .file($0) } ?? .other : .file(path)
    } else {
      self = .other
    }
  }

  /// Whether a file is open for writing with this number, as `/dev/stdout` is with 1.
  private static func isOpen(_ file: stat, as number: Int32) -> Bool {
    var status = stat()
    return fstat(number, &status) == 0 && status.st_dev == file.st_dev
      && status.st_ino == file.st_ino && fcntl(number, F_GETFL) & O_ACCMODE != O_RDONLY
  }
}
