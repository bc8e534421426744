/// Where a controller stands at one moment: what a replay needs to go on from there.
public struct ControllerSnapshot: Hashable, Sendable {
  /// The name of its policy, or of the kind of controller if it is an app's own.
  public var policy: StateName
  /// In which order it lets its visits enter.
  public var discipline: Discipline
  /// What its observers are told.
  public var fidelity: Fidelity
  /// What its policy knows, or what a probe saw of an app's own controller.
  public var standing: PolicySnapshot
  /// The visits that are open, with the first visit that each one's object had.
  public var instances: [VisitNumber: VisitNumber]
  /// The number of the last visit so far; 0 if there was none.
  public var lastVisit: UInt32
  /// Whether a track had events before that were not recorded with these.
  ///
  /// Its model may remember what they did, so a replay does not begin there.
  public var isLate: Bool

  /// A snapshot with these parts.
  package init(
    policy: StateName, discipline: Discipline = .inOrder, fidelity: Fidelity = .full,
    standing: PolicySnapshot = PolicySnapshot(),
    instances: [VisitNumber: VisitNumber] = [:], lastVisit: UInt32 = 0, isLate: Bool = false
  ) {
    self.policy = policy
    self.discipline = discipline
    self.fidelity = fidelity
    self.standing = standing
    self.instances = instances
    self.lastVisit = lastVisit
    self.isLate = isLate
  }
}

/// How much of what happens at a controller its observers are told.
public enum Fidelity: UInt8, Hashable, Sendable, CaseIterable {
  /// Every kind of event, with what happened inside what.
  case full = 1
  /// Every kind of event in order, without what happened inside what.
  case ordered
  /// Only `enqueued`, `entered` and `exited`.
  case threeKind
}
