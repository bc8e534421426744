import LibC

/// A text file, which may be long and is read a part at a time.
final class InputText {
  private let descriptor: Int32
  private let path: String
  private let isRegular: Bool
  /// The number of bytes; none if it is not known before.
  let total: Int64?
  /// The number of bytes that were read.
  private(set) var taken: Int64 = 0
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  /// Opens a file or a pipe; `-` is standard input.
  init(_ path: String) throws(Failure) {
    self.path = path
    descriptor = path == "-" ? dup(0) : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      (total, isRegular) = (nil, false)
      throw Self.failure(path)
    }
    isRegular = status.st_mode & S_IFMT == S_IFREG
    total = isRegular && status.st_size > 0 ? Int64(status.st_size) : nil
    if path != "-" { waitForWriter(isPipe: status.st_mode & S_IFMT == S_IFIFO) }
  }

  /// Waits at most two seconds for a process that writes into the pipe; after that, the pipe is
  /// empty.
  private func waitForWriter(isPipe: Bool) {
    var pipe = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while isPipe, poll(&pipe, 1, 2_000) < 0, errno == EINTR {}
    // From now on it waits for data, however slowly they come.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
  }

  deinit { _ = systemClose(descriptor) }

  /// The next part; empty at the end.
  func next() throws(Failure) -> ArraySlice<UInt8> {
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress!, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.failure(path) }
      taken += Int64(count)
      return buffer[..<count]
    }
  }

  /// The whole text of a file that is written by hand, which is short; `-` is standard input.
  static func whole(_ path: String) throws(Failure) -> String {
    let input = try InputText(path)
    guard path == "-" || input.isRegular else {
      throw Failure(
        status: .noInput, message: "Reading '\(path)': it is no regular file.",
        advice: "Check the path. Write a program's output into a file first.")
    }
    var bytes: [UInt8] = []
    while bytes.count <= mostByHand {
      let part = try input.next()
      if part.isEmpty { break }
      bytes += part
    }
    guard bytes.count <= mostByHand, let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(
        status: .usage, message: "Reading '\(path)': it is not a small file of text.",
        advice: "Check the path.")
    }
    return text
  }

  private static let mostByHand = 1 << 20

  private static func failure(_ path: String) -> Failure {
    let isMissing = errno == ENOENT || errno == ENOTDIR
    return Failure(
      status: .noInput,
      message: "Reading '\(path)': "
        + (isMissing ? "there is no such file." : "\(String(cString: strerror(errno)))."),
      advice: "Check the path.")
  }
}

// Inside of a type the method of the same name would be found first.
private let systemClose = close
