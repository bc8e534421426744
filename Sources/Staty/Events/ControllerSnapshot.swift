/// The state of a controller at one moment.
///
/// A replay can continue from it.
public struct ControllerSnapshot: Hashable, Sendable {
  /// The name of the controller's policy.
  ///
  /// For an app's own controller, its kind.
  public var policy: StateName
  /// The order in which its visits enter.
  public var discipline: Discipline
  /// Which events its observers get.
  public var fidelity: Fidelity
  /// The visits that its policy knows, or that a probe saw in an app's own controller.
  public var standing: PolicySnapshot
  /// The open visits, each with the first visit of the same state object.
  public var instances: [VisitNumber: VisitNumber]
  /// The number of the last visit; 0 if there was none.
  public var lastVisit: UInt32
  /// Whether a track had earlier events that are not in this recording.
  ///
  /// Its model may depend on them, so a replay does not start here.
  public var isLate: Bool
  /// Whether it is known that a path holds nothing.
  package var isEmpty: Bool
  /// Other tracks that should show the same as a track.
  package var mirrors: [TrackMirror]
  /// The states that a track leaves again, such as that of a spinner.
  package var transient: [StateName]

  /// Creates a snapshot.
  package init(
    policy: StateName, discipline: Discipline = .inOrder, fidelity: Fidelity = .full,
    standing: PolicySnapshot = PolicySnapshot(),
    instances: [VisitNumber: VisitNumber] = [:], lastVisit: UInt32 = 0, isLate: Bool = false,
    isEmpty: Bool = false, mirrors: [TrackMirror] = [], transient: [StateName] = []
  ) {
    self.policy = policy
    self.discipline = discipline
    self.fidelity = fidelity
    self.standing = standing
    self.instances = instances
    self.lastVisit = lastVisit
    self.isLate = isLate
    self.isEmpty = isEmpty
    self.mirrors = mirrors
    self.transient = transient
  }
}

/// Which events of a controller its observers get.
public enum Fidelity: UInt8, Hashable, Sendable, CaseIterable {
  /// All kinds of events, with the call in which each happened.
  case full = 1
  /// All kinds of events in order, without the call in which each happened.
  case ordered
  /// Only `enqueued`, `entered` and `exited`.
  case threeKind
}
