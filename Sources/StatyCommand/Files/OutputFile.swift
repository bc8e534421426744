import LibC
import StatyHistory

/// A file that the command line wants written.
///
/// It is written beside its place and put there when it is whole, so that whatever goes wrong on the
/// way leaves what was there as it was, and nothing where nothing was.
final class OutputFile {
  private let path: String
  private let isReplacing: Bool
  private let sink: DescriptorSink
  /// Where it is written; `nil` for what is no file, such as a device.
  private(set) var draft: String?
  /// How long writing took so far.
  var waited: Duration { sink.waited }

  /// Begins the file for `path`; one that is there is replaced only if that is wanted, so that a
  /// slip does not cost a recording.
  ///
  /// - Parameter isDraftHidden: whether it is called `.…` until it is whole, where somebody reads all
  ///   that is in its folder.
  init(_ path: String, replacing: Bool, isDraftHidden: Bool = false) throws(Failure) {
    self.path = path
    isReplacing = replacing
    var status = stat()
    let isThere = lstat(path, &status) == 0
    if isThere, !replacing { throw .occupied(path) }
    // What a link leads to is written where it is, as is a device.
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      sink = DescriptorSink(try Self.open(path, path, O_TRUNC))
    } else {
      let place = isDraftHidden ? path.folder + "." + path.lastComponent : path
      let draft = WholeFile.draft(of: place)
      sink = DescriptorSink(try Self.open(draft, path, O_CREAT | O_EXCL))
      self.draft = draft
    }
  }

  deinit {
    if let draft { unlink(draft) }
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

  /// Writes what is left and puts the file in its place.
  func close() throws(Failure) {
    do throws(SinkError) {
      try sink.close()
    } catch {
      throw failure(error)
    }
    guard let draft else { return }
    guard WholeFile.hasMoved(draft, to: path, replacing: isReplacing) else {
      if errno == EEXIST { throw .occupied(path) }
      throw Self.failure(path, String(cString: strerror(errno)))
    }
    if isReplacing { self.draft = nil }
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

extension Failure {
  /// There is a file where one is to be written.
  static func occupied(_ path: String) -> Failure {
    Failure(
      status: .cannotWrite, message: "Writing '\(path)': there is a file already.",
      advice: "Use '--force' to replace it.")
  }
}
