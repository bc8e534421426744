import CStatyRing
import Staty
import StatyHistory
import Testing

@testable import StatyRecorder

/// A recorder that loses one event.
///
/// Its writer has no thread: the ring is full when the test wants it, and has room again as soon as the event is
/// lost. Use it on one thread.
final class LosingRecorder {
  private let core: RecorderCore
  private let requests = WriterRequests()
  private let writer: RecorderWriter
  private let reason: LossReason
  private var isLosing = false
  /// The name of the controller that lost the event; `nil` if none was lost.
  private(set) var loser: String?

  /// How many records a piece of the ring has; the thread gets two pieces.
  ///
  /// More than a controller needs to begin.
  private static let piece: UInt64 = 128

  /// The reasons for which it can lose an event.
  static let reasons: [LossReason] = [.overload, .noLane, .unnoted]

  /// - Parameter reason: why the event will be lost.
  init(at path: String, losingBecause reason: LossReason) throws {
    self.reason = reason
    // The last lane is the one that threads share.
    let lanes = reason == .noLane ? 1 : 2
    let sizes = RingOptions(
      lanes: lanes, pieces: lanes + 1, records: Int(Self.piece), logBytes: 1 << 16)
    let ring = try FlightRing(creatingAt: HistoryPlace(path).ringPath, options: sizes)
    try ring.makeReady()
    core = RecorderCore(ring: ring, options: RecorderOptions(app: "losing"))
    writer = RecorderWriter(core: core, requests: requests, path: path, oldRings: [])
  }

  /// Records a controller from now on; does nothing if it is recorded already.
  func attach(to controller: some Recordable, as name: String) {
    let source = controller.events
    let known: Passing? = source.observer { _ in true }
    guard known == nil, source.share(core.numbering) else { return }
    let recording = ControllerRecording(core: core, source: source)
    recording.begin(as: name)
    source.add(Passing(recording, of: name, self))
    makeRoom(name)
  }

  /// From now on, the first event that finds no room is lost.
  ///
  /// - Parameter left: for how many events there is room. If an event is to be lost because it cannot be noted,
  ///   there is room for all that need no note.
  func loseOne(after left: Int) {
    store()
    isLosing = true
    guard reason == .unnoted else {
      while room > UInt64(left) { core.mark("no room") }
      return
    }
    let number = UInt32(truncatingIfNeeded: StateName("no room").id) &+ 1
    for length in [1_000, 0] {
      while core.note(.name(number: number, text: String(repeating: "n", count: length))) {}
    }
  }

  func close() {
    _ = requests.ask(waiting: false) { $0.isClosing = true }
    #expect(writer.turn() == nil)
  }

  /// For how many more records the thread has room.
  private var room: UInt64 {
    let ring = core.ring.pointer.pointee
    // The first lane is that of the only thread, or the only one.
    let (lane, queue) = (ring.lanes.pointee, ring.queues.pointee)
    let pieces = UInt64(queue.given &- queue.done)
    return lane.limit - lane.head + (2 - pieces) * Self.piece
  }

  /// Call it after each event: makes room for the next ones, unless it is losing one.
  fileprivate func makeRoom(_ name: String) {
    if core.ring.isDead { return }
    guard isLosing else {
      if room < Self.piece { store() }
      return
    }
    if core.losses.total == 0 { return }
    (isLosing, loser) = (false, name)
    store()
  }

  private func store() {
    #expect(writer.turn()?.isStored == true)
  }
}

/// Passes events on to a recording.
private final class Passing: EventRecorder {
  private let recording: ControllerRecording
  private let name: String
  private let recorder: LosingRecorder

  init(_ recording: ControllerRecording, of name: String, _ recorder: LosingRecorder) {
    (self.recording, self.name, self.recorder) = (recording, name, recorder)
  }

  func observe(_ event: borrowing TransitionEvent) {
    recording.observe(event)
    recorder.makeRoom(name)
  }

  func record(
    _ kind: TransitionEvent.Kind, _ number: UInt64, inside: EventPlace, cause: UInt64,
    time: UInt64, visit: VisitNumber, state: StateName, instance: VisitNumber, fingerprint: UInt32
  ) {
    recording.record(
      kind, number, inside: inside, cause: cause, time: time, visit: visit, state: state,
      instance: instance, fingerprint: fingerprint)
    recorder.makeRoom(name)
  }

  func record(
    _ request: borrowing RequestDetail, _ number: UInt64, inside: EventPlace, time: UInt64,
    instance: VisitNumber
  ) {
    recording.record(request, number, inside: inside, time: time, instance: instance)
    recorder.makeRoom(name)
  }

  func beginAnew() -> Bool {
    defer { recorder.makeRoom(name) }
    return recording.beginAnew()
  }
}
