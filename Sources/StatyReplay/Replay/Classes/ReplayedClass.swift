import Staty
import StatyHistory

/// A class of a recording that is run again, while its events are compared with the recorded ones.
///
/// It follows its controller inside the probe, and behind the observers that the factory adds.
final class ReplayedClass: OpaqueController, ProbeFollower, TransitionObserver {
  private let comparability: Comparability
  /// Whether its recorded events say in which call they happened.
  let isPlaced: Bool
  /// Whether it had done something before the recording began.
  let beganLate: Bool
  /// Where the search for its next event in the window has ended.
  // Unchecked, as what follows: used by one replay, and no access lasts while an app's code runs.
  @exclusivity(unchecked) var searched = 0
  /// Whether no other thread was in a call of it at its last event that was taken.
  @exclusivity(unchecked) var isAlone = true
  /// What lies around the delivery that its observers receive now.
  @exclusivity(unchecked) var delivery = EventPlace.root
  /// Whether it agrees with the recording.
  @exclusivity(unchecked) var stride = Stride.inStep
  /// Whether it has reported anything.
  @exclusivity(unchecked) private(set) var hasReported = false
  /// What it did while one of its own inputs is expected next.
  ///
  /// Either something else did that and was called without a bracket, or it is a divergence.
  @exclusivity(unchecked) var suspicion: Divergence.Difference?
  /// The replay, until it lets go.
  @exclusivity(unchecked) private var replay: ClassReplay?

  init(
    _ part: Cast.Part, _ factory: ControllerRegistry.Factory, _ snapshot: SnapshotRecord,
    in replay: ClassReplay
  ) throws {
    comparability = part.record.comparability
    isPlaced = part.isPlaced
    beganLate = !part.record.isTrack && snapshot.lastVisit > 0
    self.replay = replay
    try super.init(part, factory, snapshot, part.record.knownFidelity, on: replay.runningThread)
    // Strong until it lets go: weak references make every use of the replay slower.
    context.scheduler.currentCause = { replay.place(replay.numbering.place).seq }
    follow(replay.numbering, by: self)
  }

  /// Whether an event of this kind is something that the controller decided.
  func isOutput(_ kind: EventKind) -> Bool { comparability.isDecision(kind) }

  /// The last snapshot that the controller reported.
  var standing: PolicySnapshot { context.probe.events.snapshot.standing }

  func letGo() {
    replay = nil
    context.scheduler.currentCause = { 0 }
    followNoMore()
  }

  override func told(_ script: ReplayState) {
    super.told(script)
    replay?.stateTold()
  }

  var requestedName: StateName? { replay?.requestedName(id) }

  func deferred(_ step: UInt32) { context.scheduler.announce(step) }

  func made(_ event: TransitionEvent, about object: AnyObject?) -> Bool {
    hasReported = true
    return replay?.made(event, id, about: object) ?? true
  }

  func observe(_ event: borrowing TransitionEvent) { replay?.heard(event.number) }
  func finished(_ event: TransitionEvent) { replay?.finished(event) }
}
