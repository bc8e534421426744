import LibC

/// A small text file that is written by hand.
enum TextFile {
  /// The most bytes: a file that is written by hand is shorter.
  private static let most = 1 << 20

  /// The whole text of a file; `-` is standard input.
  static func text(of path: String, doing: String) throws(Failure) -> String {
    // Opening a pipe would wait for a process that writes into it.
    let descriptor = path == "-" ? dup(0) : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(doing, path) }
    defer { close(descriptor) }
    guard path == "-" || isRegular(descriptor) else {
      throw Failure(
        status: .noInput, message: "\(doing): '\(path.visible)' is no regular file.",
        advice: "Check the path. Write a program's output into a file first.")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count <= most {
      let count = Self.fill(&buffer, descriptor)
      if count < 0 { throw failure(doing, path) }
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    guard bytes.count <= most, let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(
        status: .usage, message: "\(doing): '\(path.visible)' is not a small file of text.",
        advice: "Check the path.")
    }
    return text
  }

  private static func isRegular(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func fill(_ buffer: inout [UInt8], _ descriptor: Int32) -> Int {
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      return count
    }
  }

  private static func failure(_ doing: String, _ path: String) -> Failure {
    Failure(
      status: .noInput,
      message: "\(doing): '\(path.visible)': \(String(cString: strerror(errno))).",
      advice: "Check the path.")
  }
}
