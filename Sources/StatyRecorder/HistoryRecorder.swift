public import Foundation
public import Staty
import StatyHistory
import Synchronization

/// Records what happens at controllers into an SQLite file.
///
/// ```swift
/// let recorder = try HistoryRecorder(at: "history.sqlite")
/// recorder.attach(to: controller, as: "checkout")
/// ```
///
/// Recording an event takes tens of nanoseconds on its thread: the event goes into a memory-mapped ring next
/// to the file, and the recorder's own thread stores it from there. Events survive a crash; the next recorder
/// at the same path imports them.
///
/// One recorder serves any number of controllers on any threads and numbers all their events in one order.
/// The app's threads never wait for it, and errors of the file do not reach them: every event is either stored
/// or counted as lost; the file records both. There is one exception: if another program truncates the ring's
/// file while it is mapped, the next event ends the app with `SIGBUS`, as with any mapped file. Removing the
/// file does no harm.
public final class HistoryRecorder: Sendable {
  let core: RecorderCore
  private let requests = WriterRequests()
  private let isClosed = Atomic(false)

  /// Where the history is.
  public let path: String

  /// Opens the history at a path, or makes one, and begins a session in it.
  ///
  /// Reads only the file's header. Events of an earlier process that was killed are imported on the
  /// recorder's own thread. If three launches in a row were killed before that, this waits for it.
  ///
  /// Makes a ring next to the history, of 4 MB by default; its size follows from
  /// ``RecorderOptions/eventsPerThread``. A sixteenth of it is written before this returns, the rest on the
  /// recorder's own thread. Closing the recorder removes it when everything is stored.
  public convenience init(
    at path: String, options: RecorderOptions = RecorderOptions()
  ) throws(RecorderError) {
    try self.init(at: path, options: options, clock: RecorderClock())
  }

  /// Opens the history at the URL of a file, or makes one, and begins a session in it, as with a path.
  public convenience init(
    at url: URL, options: RecorderOptions = RecorderOptions()
  ) throws(RecorderError) {
    try self.init(at: try Self.path(of: url), options: options)
  }

  private static func path(of url: URL) throws(RecorderError) -> String {
    guard url.isFileURL else {
      throw .directory(path: url.absoluteString, reason: "it is not the URL of a file")
    }
    return url.path
  }

  /// Opens the history with clocks of one's own.
  package init(
    at path: String, options: RecorderOptions, clock: RecorderClock
  ) throws(RecorderError) {
    let place = try HistoryPlace(path)
    let (ring, leftovers) = try place.open(options)
    self.path = place.path
    core = RecorderCore(ring: ring, options: options, clock: clock)
    let (core, requests) = (core, requests)
    let thread = Thread {
      RecorderWriter(
        core: core, requests: requests, path: place.path, leftovers: leftovers
      ).run()
    }
    thread.name = "Staty recorder"
    thread.qualityOfService = .utility
    thread.start()
    // An app that is killed at each start leaves a ring each time: they are brought in before there are
    // more, however soon it is killed again.
    if leftovers.count > Self.mostLeftovers { try? ask("opening", .seconds(10)) { _ in } }
  }

  /// How many rings of killed processes may wait for the recorder's own thread.
  private static let mostLeftovers = 2

  deinit {
    close()
  }

  /// The path of the history that was set aside because it is damaged; `nil` if the history was sound.
  ///
  /// The recorder renames a history that it cannot write and begins a new one in its place. Find out with
  /// `staty doctor` what is wrong with it. At most three such files stay.
  public var damagedHistory: String? { core.damagedHistory }

  /// When its session began, on the clock that events carry.
  package var began: UInt64 { core.ring.session.beganNanoseconds }

  /// The name that its session has in any history.
  package var uuid: String { core.ring.session.uuid }
}

// MARK: Controllers

extension HistoryRecorder {
  /// Records a controller, or a probe, from now on; call it where the controller lives.
  ///
  /// - Parameter name: what the controller is called in the history. Of it, as of the names of states
  ///   and policies, 1,024 bytes are recorded; a longer one ends with `…`.
  public func attach(to controller: some Recordable, as name: String) {
    attach(controller.events, as: name)
  }

  /// Records every track from its next event on, wherever it is created; call it once at launch.
  ///
  /// Each goes by the name that it was made with. If several recorders are asked, the last one asked
  /// records; `close()` ends it.
  public func recordTracks() {
    guard !isClosed.load(ordering: .relaxed) else { return }
    TrackDoor.open(for: self) { [weak self] source, name in
      self?.attach(source, as: name.description)
    }
  }

  private func attach(_ source: EventSource, as name: String) {
    releaseFromClosed(source)
    guard source.share(core.numbering) else {
      assertionFailure(
        "The controller '\(name)' is recorded by another recorder. Detach it there first.")
      return
    }
    if recording(of: source) != nil { return }
    let recording = ControllerRecording(core: core, source: source)
    recording.begin(as: name)
    source.add(recording, beforeOthers: true)
  }

  /// Records a controller no longer; does nothing if it was not recorded.
  public func detach(from controller: some Recordable) {
    guard let recording = recording(of: controller.events) else { return }
    core.drop(controller.events.remove(recording))
    recording.end()
    controller.events.unshare(core.numbering)
  }

  /// Lets go of the source for a recorder that was closed and had not.
  private func releaseFromClosed(_ source: EventSource) {
    while let old: ControllerRecording = source.observer(where: {
      $0.core !== core && $0.core.ring.isDead
    }) {
      old.core.drop(source.remove(old))
      old.end()
      source.unshare(old.core.numbering)
    }
  }

  private func recording(of source: EventSource) -> ControllerRecording? {
    source.observer { $0.core === core }
  }

  /// Writes a note of the app's own between the events; from any thread.
  public func mark(_ text: String) {
    core.mark(text)
  }
}

// MARK: The file

extension HistoryRecorder {
  /// Waits until everything that was recorded so far is in the file, and blocks the calling thread meanwhile:
  /// for some milliseconds, or longer while the disk is busy.
  ///
  /// - Throws: if that could not be done; what was recorded stays in the ring and is tried again.
  @available(*, noasync, message: "Use 'await flush(_:)', which blocks no thread.")
  public func flush(
    _ level: FlushLevel = .stored, atMost limit: Duration = .seconds(30)
  ) throws(RecorderError) {
    try ask("flushing", limit) { $0.level = max($0.level ?? level, level) }
  }

  /// Waits until everything that was recorded so far is in the file, without blocking a thread.
  ///
  /// - Throws: if that could not be done; what was recorded stays in the ring and is tried again.
  public func flush(_ level: FlushLevel = .stored) async throws(RecorderError) {
    try await ask("flushing") { $0.level = max($0.level ?? level, level) }
  }

  /// Stores everything and closes the database, so that no lock on it is held while the app is suspended.
  ///
  /// Events still go into the ring, which stays locked. A session whose process is killed before ``resume()``
  /// has ended `suspended`.
  ///
  /// Blocks the calling thread until it is done, as `sceneDidEnterBackground` needs: the system may suspend the
  /// app when that returns.
  @available(*, noasync, message: "Use 'await suspend()', which blocks no thread.")
  public func suspend(atMost limit: Duration = .seconds(5)) throws(RecorderError) {
    core.ring.noteSuspended(true)
    try ask("suspending", limit) { $0.isSuspended = true }
  }

  /// Does what ``suspend(atMost:)`` does without blocking a thread, for an app that has asked the system for
  /// time in the background.
  public func suspend() async throws(RecorderError) {
    core.ring.noteSuspended(true)
    try await ask("suspending") { $0.isSuspended = true }
  }

  /// Takes the file up again after ``suspend(atMost:)``.
  public func resume() {
    guard !core.ring.isForeign else { return }
    core.ring.noteSuspended(false)
    _ = requests.ask(waiting: false) { $0.isSuspended = false }
    core.ring.wake()
  }

  /// Writes the history so far into one compact file, for a bug report, and blocks the calling thread
  /// meanwhile: a full history of 64 MB takes about a second.
  @available(*, noasync, message: "Use 'await share(to:)', which blocks no thread.")
  public func share(to path: String, atMost limit: Duration = .seconds(60)) throws(RecorderError) {
    let copy = CopyAnswer(try HistoryPlace(path).path)
    try ask("sharing", limit) { $0.copies.append(copy) }
    try copy.check()
  }

  /// Writes the history so far into one compact file, for a bug report, without blocking a thread.
  public func share(to path: String) async throws(RecorderError) {
    let copy = CopyAnswer(try HistoryPlace(path).path)
    try await ask("sharing") { $0.copies.append(copy) }
    try copy.check()
  }

  /// Writes the history so far into one compact file, for a share sheet, without blocking a thread.
  public func share(to url: URL) async throws(RecorderError) {
    try await share(to: try Self.path(of: url))
  }

  /// Ends the session and closes the file.
  ///
  /// Events after this are not recorded. Waits until the file is closed, but no longer than 30
  /// seconds: then the recorder's own thread goes on alone, and what it does not come to stays in the
  /// ring for the next recorder.
  public func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    TrackDoor.close(for: ObjectIdentifier(self))
    try? ask("closing", .seconds(30)) {
      $0.isClosing = true
      $0.isSuspended = false
    }
  }

  /// What became of the events so far.
  public var statistics: RecorderStatistics { core.statistics }

  /// Ends the session and closes the file, without blocking a thread; what the blocking `close()` does.
  public func close() async {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    TrackDoor.close(for: ObjectIdentifier(self))
    try? await ask("closing") {
      $0.isClosing = true
      $0.isSuspended = false
    }
  }

  /// Asks the writer for something and waits for its answer.
  func ask(
    _ doing: String, _ limit: Duration, _ change: (inout WriterRequests.Wanted) -> Void
  ) throws(RecorderError) {
    let number = try begin(doing, change)
    if let failure = requests.wait(for: number, atMost: limit.inSeconds) {
      throw .system(path: path, doing: doing, reason: failure)
    }
  }

  /// The same without blocking a thread.
  func ask(
    _ doing: String, _ change: (inout WriterRequests.Wanted) -> Void
  ) async throws(RecorderError) {
    let number = try begin(doing, change)
    if let failure = await requests.answer(to: number) {
      throw .system(path: path, doing: doing, reason: failure)
    }
  }

  private func begin(
    _ doing: String, _ change: (inout WriterRequests.Wanted) -> Void
  ) throws(RecorderError) -> UInt64 {
    // A forked child has no writer, and its locks may never be released.
    guard !core.ring.isForeign else {
      throw .system(
        path: path, doing: doing,
        reason: "this process was forked from the one that records; open a recorder of its own")
    }
    let number = requests.ask(waiting: true, change)
    core.ring.wake()
    return number
  }
}

extension Duration {
  fileprivate var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
