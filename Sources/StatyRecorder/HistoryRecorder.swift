import CStaty
public import Foundation
public import Staty
import StatyHistory
import Synchronization

/// Records the events of controllers into an SQLite file.
///
/// ```swift
/// let recorder = try HistoryRecorder(at: "history.sqlite")
/// recorder.attach(to: controller, as: "checkout")
/// ```
///
/// Recording an event takes tens of nanoseconds on its thread. The event goes into a ring, a memory-mapped file
/// next to the history, and the recorder's own thread stores it in the history. Events survive a crash: the
/// next recorder at the same path recovers them.
///
/// One recorder serves any number of controllers on any threads, and numbers all their events in one order.
/// The app's threads never wait for it, and do not see errors of the file. Every event is either stored or
/// counted as lost; the file records both. There is one exception: if another program truncates the ring's file
/// while it is mapped, the next event ends the app with `SIGBUS`. Removing the file does no harm.
public final class HistoryRecorder: Sendable {
  let core: RecorderCore
  private let requests = WriterRequests()
  private let isClosed = Atomic(false)

  /// The path of the history.
  public let path: String

  /// Opens the history at a path, or creates one, and begins a session in it.
  ///
  /// It reads only the file's header. The recorder's own thread recovers the events of a killed process. If
  /// three launches in a row were killed before that, this call waits for it, for 50 ms at most.
  ///
  /// It creates a ring next to the history, of 4 MB by default; ``RecorderOptions/eventsPerThread`` sets its
  /// size. A sixteenth of it is written before this returns, the rest on the recorder's own thread. Closing the
  /// recorder removes the ring when everything is stored.
  public convenience init(
    at path: String, options: RecorderOptions = RecorderOptions()
  ) throws(RecorderError) {
    try self.init(at: path, options: options, clock: RecorderClock())
  }

  /// Opens the history at a file URL, or creates one, and begins a session in it.
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

  /// Opens the history with other clocks, for tests.
  package init(
    at path: String, options: RecorderOptions, clock: RecorderClock
  ) throws(RecorderError) {
    let place = try HistoryPlace(path)
    let (ring, oldRings) = try place.open(options)
    self.path = place.path
    core = RecorderCore(ring: ring, options: options, clock: clock)
    let (core, requests) = (core, requests)
    let thread = Thread {
      RecorderWriter(
        core: core, requests: requests, path: place.path, oldRings: oldRings
      ).run()
    }
    thread.name = "Staty recorder"
    thread.qualityOfService = .utility
    // A test that watches threads need not know of this one.
    staty_set_starts_thread(true)
    thread.start()
    staty_set_starts_thread(false)
    // An app that crashes at each launch leaves a ring each time. Waiting a little for their recovery bounds
    // their number, even if the app always crashes soon after this; no launch waits longer. It does not wait
    // for rings that nothing can recover.
    if oldRings.count > Self.mostOldRings,
      oldRings.count(where: { FlightRing.isReadable(at: $0) }) > Self.mostOldRings
    {
      try? ask("opening", .milliseconds(50)) { _ in }
    }
  }

  /// The most old rings that may be left to the recorder's own thread.
  private static let mostOldRings = 2

  deinit {
    close()
  }

  /// The new path of the history if it was damaged and renamed; otherwise `nil`.
  ///
  /// The recorder renames a history that is too damaged to be written, and begins a new one in its place. Use
  /// `staty doctor` to examine the damaged one. At most three of them are kept.
  public var damagedHistory: String? { core.damagedHistory }

  /// The beginning of the session, on the events' clock.
  package var began: UInt64 { core.ring.session.beganNanoseconds }

  /// The session's UUID.
  package var uuid: String { core.ring.session.uuid }
}

// MARK: Controllers

extension HistoryRecorder {
  /// Records a controller, or a probe, from now on.
  ///
  /// Call it in the controller's isolation; for a probe on any thread.
  ///
  /// - Parameter name: the controller's name in the history. Names of controllers, states and policies are cut
  ///   to 1,024 bytes and then end with `…`.
  public func attach(to controller: some Recordable, as name: String) {
    attach(controller.events, as: name)
  }

  /// Records all tracks from their next event on, under their own names.
  ///
  /// Call it once at launch.
  ///
  /// If you call it on several recorders, only the last one records tracks. `close()` ends it.
  public func recordTracks() {
    guard !isClosed.load(ordering: .relaxed) else { return }
    TrackDoor.open(for: self) { [weak self] track in
      self?.attach(track.events, as: track.name.description, unlessElsewhere: true)
    }
  }

  /// - Parameter unlessElsewhere: whether another recorder may record it already.
  private func attach(_ source: EventSource, as name: String, unlessElsewhere: Bool = false) {
    // Another thread's event is either part of the snapshot or recorded.
    source.exclusively {
      releaseFromClosed(source)
      guard source.share(core.numbering) else {
        if unlessElsewhere { return }
        assertionFailure(
          "The controller '\(name)' is recorded by another recorder. Detach it there first.")
        return
      }
      if recording(of: source) != nil { return }
      let recording = ControllerRecording(core: core, source: source)
      recording.begin(as: name)
      source.add(recording)
    }
  }

  /// Stops recording a controller; does nothing if it was not recorded.
  public func detach(from controller: some Recordable) {
    controller.events.exclusively {
      guard let recording = recording(of: controller.events) else { return }
      controller.events.remove(recording)
      recording.end()
      controller.events.unshare(core.numbering)
    }
  }

  /// Detaches recorders that were closed without detaching from this source.
  private func releaseFromClosed(_ source: EventSource) {
    while let old: ControllerRecording = source.observer(where: {
      $0.core !== core && $0.core.ring.isDead
    }) {
      source.remove(old)
      old.end()
      source.unshare(old.core.numbering)
    }
  }

  private func recording(of source: EventSource) -> ControllerRecording? {
    source.observer { $0.core === core }
  }

  /// Records a text of the app between the events, such as "user logged out".
  ///
  /// Call it from any thread.
  public func mark(_ text: String) {
    core.mark(text)
  }
}

// MARK: The file

extension HistoryRecorder {
  /// Blocks the calling thread until everything recorded so far is in the file.
  ///
  /// This takes some milliseconds, or longer while the disk is busy.
  ///
  /// - Throws: an error if the file cannot be written. The events stay in the ring, and the recorder tries again.
  @available(*, noasync, message: "Use 'await flush(_:)', which blocks no thread.")
  public func flush(
    _ level: FlushLevel = .stored, atMost limit: Duration = .seconds(30)
  ) throws(RecorderError) {
    try ask("flushing", limit) { $0.level = max($0.level ?? level, level) }
  }

  /// Waits until everything recorded so far is in the file, without blocking a thread.
  ///
  /// - Throws: an error if the file cannot be written. The events stay in the ring, and the recorder tries again.
  public func flush(_ level: FlushLevel = .stored) async throws(RecorderError) {
    try await ask("flushing") { $0.level = max($0.level ?? level, level) }
  }

  /// Stores everything and closes the database, so that the app has no lock on it while it is suspended.
  ///
  /// Events still go into the ring, which stays locked. When half of it is full, because the app runs in the
  /// background, the recorder opens the database for a moment and stores them. If the app is killed before
  /// ``resume()``, its session has ended `suspended`.
  ///
  /// It blocks the calling thread until it is done. Call it in `sceneDidEnterBackground`: when that returns, the
  /// system may suspend the app.
  @available(*, noasync, message: "Use 'await suspend()', which blocks no thread.")
  public func suspend(atMost limit: Duration = .seconds(5)) throws(RecorderError) {
    core.ring.noteSuspended(true)
    try ask("suspending", limit) { $0.isSuspended = true }
  }

  /// Does the same as ``suspend(atMost:)`` without blocking a thread, for an app that has requested background
  /// time.
  public func suspend() async throws(RecorderError) {
    core.ring.noteSuspended(true)
    try await ask("suspending") { $0.isSuspended = true }
  }

  /// Notes that the system has launched the app in the background, where it may never become active.
  ///
  /// Call it right after opening. If the app is killed before ``resume()``, its session has ended `suspended`.
  /// Unlike after ``suspend(atMost:)``, events are stored as usual.
  public func launchedInBackground() {
    core.ring.noteSuspended(true)
  }

  /// Opens the file again after ``suspend(atMost:)``.
  ///
  /// Call it when the app becomes active, also after ``launchedInBackground()``.
  public func resume() {
    guard !core.ring.isForeign else { return }
    core.ring.noteSuspended(false)
    _ = requests.ask(waiting: false) { $0.isSuspended = false }
    core.ring.wake()
  }

  /// Copies the history so far into one compact file, for a bug report.
  ///
  /// It blocks the calling thread: for about a second if the history has 64 MB.
  @available(*, noasync, message: "Use 'await share(to:)', which blocks no thread.")
  public func share(to path: String, atMost limit: Duration = .seconds(60)) throws(RecorderError) {
    let copy = CopyAnswer(try HistoryPlace(path).path)
    try ask("sharing", limit) { $0.copies.append(copy) }
    try copy.check()
  }

  /// Copies the history so far into one compact file, for a share sheet.
  ///
  /// It blocks the calling thread: for about a second if the history has 64 MB.
  @available(*, noasync, message: "Use 'await share(to:)', which blocks no thread.")
  public func share(to url: URL, atMost limit: Duration = .seconds(60)) throws(RecorderError) {
    try share(to: Self.path(of: url), atMost: limit)
  }

  /// Copies the history so far into one compact file, for a bug report, without blocking a thread.
  public func share(to path: String) async throws(RecorderError) {
    let copy = CopyAnswer(try HistoryPlace(path).path)
    try await ask("sharing") { $0.copies.append(copy) }
    try copy.check()
  }

  /// Copies the history so far into one compact file, for a share sheet, without blocking a thread.
  public func share(to url: URL) async throws(RecorderError) {
    try await share(to: try Self.path(of: url))
  }

  /// Ends the session and closes the file.
  ///
  /// Later events are not recorded. It waits until the file is closed, for 30 seconds at most. After that, the
  /// recorder's own thread continues alone; the next recorder recovers the events that were not stored.
  public func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    TrackDoor.close(for: ObjectIdentifier(self))
    try? ask("closing", .seconds(30)) {
      $0.isClosing = true
      $0.isSuspended = false
    }
  }

  /// How many events were stored, lost and so on.
  public var statistics: RecorderStatistics { core.statistics }

  /// Ends the session and closes the file, without blocking a thread.
  public func close() async {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    TrackDoor.close(for: ObjectIdentifier(self))
    try? await ask("closing") {
      $0.isClosing = true
      $0.isSuspended = false
    }
  }

  /// Gives the writer tasks, and blocks the thread until they are done.
  func ask(
    _ doing: String, _ limit: Duration, _ change: (inout WriterRequests.Tasks) -> Void
  ) throws(RecorderError) {
    let number = try begin(doing, change)
    if let failure = requests.wait(for: number, atMost: limit.inSeconds) {
      throw .system(path: path, doing: doing, reason: failure)
    }
  }

  /// Gives the writer tasks, and waits until they are done, without blocking a thread.
  func ask(
    _ doing: String, _ change: (inout WriterRequests.Tasks) -> Void
  ) async throws(RecorderError) {
    let number = try begin(doing, change)
    if let failure = await requests.answer(to: number) {
      throw .system(path: path, doing: doing, reason: failure)
    }
  }

  private func begin(
    _ doing: String, _ change: (inout WriterRequests.Tasks) -> Void
  ) throws(RecorderError) -> UInt64 {
    // A forked child has no writer's thread, and its locks may stay locked forever.
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
