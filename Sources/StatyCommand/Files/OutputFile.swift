import LibC
import StatyHistory
import StatySQLite

/// An output file of the command line.
///
/// It is written under another name and renamed when it is whole, so that a failure leaves an
/// existing file unchanged and makes no new one. A device, and a file that this process was given
/// open, such as `/dev/stdout`, is written directly.
final class OutputFile {
  private let path: String
  /// The path of the finished file: the target of a link, not the link.
  private let place: String
  private let isReplacing: Bool
  private let sink: DescriptorSink
  private var leftover: Leftover?
  /// The path of the unfinished file; `nil` for what is written directly.
  private(set) var draft: String?
  /// How long writing took so far.
  var waited: Duration { sink.waited }

  /// Begins the file for `path`.
  ///
  /// An existing file is replaced only on request: a typing error must not cost a recording.
  init(_ path: String, replacing: Bool) throws(Failure) {
    self.path = path
    isReplacing = replacing
    if WholeFile.isThere(path), !replacing { throw .occupied(path) }
    let target = OutputTarget(path)
    place = target.path ?? path
    guard target.path != nil else {
      sink = DescriptorSink(try Self.opened(target, path))
      return
    }
    let draft = WholeFile.draft(of: place)
    let leftover = Leftover(database: draft)
    do throws(Failure) {
      let descriptor = try Self.open(draft, path, O_CREAT | O_EXCL)
      WholeFile.giveRights(of: place, to: descriptor)
      sink = DescriptorSink(descriptor)
    } catch {
      leftover.forget()
      throw error
    }
    (self.draft, self.leftover) = (draft, leftover)
  }

  deinit {
    if let draft { unlink(draft) }
    leftover?.forget()
  }

  private static func opened(_ target: OutputTarget, _ path: String) throws(Failure) -> Int32 {
    guard case .given(let number) = target else { return try open(path, path, 0) }
    let descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw failure(path, String(cString: strerror(errno))) }
    return descriptor
  }

  private static func open(
    _ place: String, _ path: String, _ flags: Int32
  ) throws(Failure) -> Int32 {
    let descriptor = LibC.open(place, O_WRONLY | O_CLOEXEC | flags, 0o666)
    guard descriptor >= 0 else { throw failure(path, String(cString: strerror(errno))) }
    return descriptor
  }

  /// Writes a part of the content.
  func write(_ text: String) throws(Failure) {
    do throws(SinkError) {
      try sink.write(text)
    } catch {
      throw failure(error)
    }
  }

  /// Writes what is left, and renames the file.
  func close() throws(Failure) {
    do throws(SinkError) {
      try sink.close()
    } catch {
      throw failure(error)
    }
    guard let draft else { return }
    guard WholeFile.hasMoved(draft, to: place, replacing: isReplacing) else {
      if errno == EEXIST { throw .occupied(path) }
      throw Self.failure(path, String(cString: strerror(errno)))
    }
    if isReplacing { self.draft = nil }
  }

  private func failure(_ error: SinkError) -> Failure {
    switch error {
    case .closed: Self.failure(path, "no program reads it")
    case .failed(let reason): Self.failure(path, reason)
    }
  }

  private static func failure(_ path: String, _ reason: String) -> Failure {
    Failure(
      status: .cannotWrite, message: "Writing '\(path)': \(reason).",
      advice: "Choose a place that can be written.")
  }
}

extension Failure {
  /// The failure if there is a file already.
  static func occupied(_ path: String) -> Failure {
    Failure(
      status: .cannotWrite, message: "Writing '\(path)': there is a file already.",
      advice: "Use '--force' to replace it.")
  }
}
