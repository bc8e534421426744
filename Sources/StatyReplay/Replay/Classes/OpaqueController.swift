import Staty
import StatyHistory

/// An app's own controller that is run again, with scripted states.
class OpaqueController {
  let id: Int32
  let context: ReplayContext
  let subject: ReplaySubject
  let states = StateObjects()
  private let thread: RunningThread
  // Unchecked, as what follows: used by one replay, and no access lasts while an app's code runs.
  /// Whether something held a state weakly when it was told something.
  @exclusivity(unchecked) private(set) final var holdsWeakly = false
  @exclusivity(unchecked) private var door: FollowerDoor?

  /// Makes the controller.
  ///
  /// - Throws: a `ReplayDoubt` if a new controller differs from the recorded one, or what its
  ///   factory throws.
  init(
    _ part: Cast.Part, _ factory: ControllerRegistry.Factory, _ snapshot: SnapshotRecord,
    _ fidelity: Fidelity, on thread: RunningThread
  ) throws {
    self.thread = thread
    id = part.record.id
    // Numbers from there on are those of inserted requests, and the last one has no next.
    guard part.record.begins(at: snapshot), snapshot.lastVisit < RecordedInput.firstInserted else {
      throw ReplayDoubt.lateAttachment(controller: id)
    }
    // Nothing reads the times of its events.
    let probe = ControllerProbe(
      StateName(part.name), discipline: part.discipline, fidelity: fidelity, time: { 0 })
    probe.goOn(after: snapshot.lastVisit)
    context = ReplayContext(controller: part.record.name, probe: probe)
    let context = context
    var made: Result<ReplaySubject, any Error>!
    let startsTask = thread.startsTask {
      made = Result { try TrackDoor.shut { try factory(context) } }
    }
    subject = try made.get()
    // What comes of a model's tasks is told as messages.
    if startsTask, context.track == nil { thread.note(id) }
  }

  /// The controller tells a state to enter or exit.
  func told(_ script: ReplayState) {
    if script.isHeldWeakly { holdsWeakly = true }
  }

  /// Follows the events of the probe, which are numbered with those of the other controllers.
  final func follow(_ numbering: Numbering, by follower: any FollowerDoor.Follower) {
    let door = FollowerDoor(to: follower, of: id, on: thread)
    self.door = door
    states.told = door.told
    _ = context.probe.events.share(numbering)
    context.probe.events.add(door)
    context.probe.follower = door
  }

  /// From now on its observers' events are not followed.
  final func hearNoMore() {
    if let door { context.probe.events.remove(door) }
  }

  /// Follows it no more.
  final func followNoMore() { door?.close() }

  /// The call that requests a state; `nil` if the controller takes no requests.
  ///
  /// - Parameter origin: the visit that makes the request; 0 if that is not known.
  final func requestCall(_ input: RequestInput, by origin: UInt32) -> (() -> Void)? {
    guard let requests = subject.requests else { return nil }
    let object = states.object(input.instance, input.state, input.payload, requests)
    let request = ReplayRequest(
      priority: input.priority, asked: input.asked, origin: origin == 0 ? nil : VisitNumber(origin))
    return { requests.request(object, request) }
  }

  /// The call that cancels; `nil` if the controller has no way to cancel.
  final func cancelling(_ cancellation: Cancellation) -> (() -> Void)? {
    subject.cancelling(cancellation) { states[$0.rawValue]?.object }
  }
}

extension ReplayDoubt: Error {
  /// The doubt about a controller that could not be made because of this error.
  static func notMade(_ controller: Int32, _ error: any Error) -> ReplayDoubt {
    error as? ReplayDoubt ?? .notMade(controller: controller, reason: "\(error)")
  }
}

extension ControllerRecord {
  /// Whether a new controller equals this one at the beginning of its recording.
  func begins(at snapshot: SnapshotRecord) -> Bool {
    isTrack ? snapshot.isLate != true : snapshot.isIdle
  }
}

extension SnapshotRecord {
  /// Whether nothing was under way, so that a new controller equals this one.
  var isIdle: Bool {
    waiting.isEmpty && standing.allSatisfy { $0.phase == Phase.exited.rawValue }
  }
}
