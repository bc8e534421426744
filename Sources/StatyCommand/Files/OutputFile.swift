#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A file that the command line wants written.
struct OutputFile {
  private let path: String
  private let sink: DescriptorSink

  /// Makes the file at `path`; one that is there is replaced only if that is wanted, so that a slip
  /// does not cost a recording.
  init(_ path: String, replacing: Bool) throws(Failure) {
    self.path = path
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (replacing ? O_TRUNC : O_EXCL)
    let descriptor = open(path, flags, 0o666)
    guard descriptor >= 0 else {
      if errno == EEXIST {
        throw Failure(
          status: .cannotWrite, message: "Writing '\(path)': there is a file already.",
          advice: "Use '--force' to replace it.")
      }
      throw Self.failure(path, String(cString: strerror(errno)))
    }
    sink = DescriptorSink(descriptor)
  }

  /// Writes a part of the content.
  func write(_ text: String) throws(Failure) {
    do throws(SinkError) {
      try sink.write(text)
    } catch {
      throw failure(error)
    }
  }

  /// Writes what is left and closes the file.
  func close() throws(Failure) {
    do throws(SinkError) {
      try sink.close()
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: SinkError) -> Failure {
    switch error {
    case .closed: Self.failure(path, "nobody reads it")
    case .failed(let reason): Self.failure(path, reason)
    }
  }

  private static func failure(_ path: String, _ reason: String) -> Failure {
    Failure(
      status: .cannotWrite, message: "Writing '\(path)': \(reason).",
      advice: "Choose a place that can be written.")
  }
}
