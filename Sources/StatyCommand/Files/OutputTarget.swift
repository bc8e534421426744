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

  init(_ path: String) {
    if let number = Self.descriptor(path) {
      self = .given(number)
      return
    }
    var status = stat()
    guard lstat(path, &status) == 0 else {
      self = .file(path)
      return
    }
    let isLink = status.st_mode & S_IFMT == S_IFLNK
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      self = .other
      return
    }
    self = isLink ? Self.resolved(path).map { .file($0) } ?? .other : .file(path)
  }

  /// The number of an open file that a path stands for, as `/dev/stdout` does, or a link to it.
  private static func descriptor(_ path: String) -> Int32? {
    var place = path
    // No system follows more links.
    for _ in 0..<40 {
      let folder = place.folder.isEmpty ? "." : place.folder
      if let number = Int32(place.lastComponent), place.lastComponent == "\(number)",
        isOfDescriptors(resolved(folder))
      {
        return number
      }
      guard let next = link(place) else { return nil }
      place = next.utf8.first == UInt8(ascii: "/") ? next : place.folder + next
    }
    return nil
  }

  private static func isOfDescriptors(_ folder: String?) -> Bool {
    guard let folder else { return false }
    let own = "/proc/\(getpid())/"
    return folder == "/dev/fd" || folder == own + "fd"
      || folder.hasPrefix(own + "task/") && folder.hasSuffix("/fd")
  }

  private static func link(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { readlink(path, $0.baseAddress!, $0.count) }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
