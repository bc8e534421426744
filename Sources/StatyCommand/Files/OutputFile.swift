import LibC
import StatyHistory

/// An output file of the command line.
///
/// A regular file is written as a ``Draft``. A device, and a file that this process was given open,
/// such as `/dev/stdout`, is written directly.
final class OutputFile {
  private let path: String
  private let sink: DescriptorSink
  private let draft: Draft?
  /// How long writing took so far.
  var waited: Duration { sink.waited }

  /// Begins the file for `path`.
  init(_ path: String, replacing: Bool) throws(Failure) {
    self.path = path
    if WholeFile.isThere(path), !replacing { throw .occupied(path) }
    let target = OutputTarget(path)
    draft =
      if case .file(let place) = target {
        try Draft(of: path, at: place, replacing: replacing)
      } else {
        nil
      }
    let descriptor =
      if case .given(let number) = target {
        fcntl(number, F_DUPFD_CLOEXEC, 0)
      } else {
        open(draft?.path ?? path, O_WRONLY | O_CLOEXEC)
      }
    guard descriptor >= 0 else { throw .unwritable(path, errno) }
    sink = DescriptorSink(descriptor)
  }

  /// Writes a part of the content.
  func write(_ text: String) throws(Failure) {
    try saying { () throws(SinkError) in try sink.write(text) }
  }

  /// Writes what is left, and renames the file.
  func close() throws(Failure) {
    try saying { () throws(SinkError) in try sink.close() }
    try draft?.finish()
  }

  private func saying(_ body: () throws(SinkError) -> Void) throws(Failure) {
    do throws(SinkError) {
      try body()
    } catch {
      switch error {
      case .closed: throw .unwritable(path, "no program reads it")
      case .failed(let reason): throw .unwritable(path, reason)
      }
    }
  }
}

/// What an output path leads to.
enum OutputTarget: Equatable {
  /// A regular file, or nothing yet, at this path, which is no link.
  case file(String)
  /// A file that this process was given open. It must not be opened again: that would overwrite
  /// what other processes have written.
  case given(Int32)
  /// Anything else, such as a device.
  case other

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
