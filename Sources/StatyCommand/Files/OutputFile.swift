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
      if let place = target.path {
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
