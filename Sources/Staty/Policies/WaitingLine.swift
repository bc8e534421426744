/// Who waits for the stage, and who comes next.
///
/// A line is what distinguishes the policies that show one visit at a time; the stage is common
/// to them. A new discipline is a new line, used as `StagedPolicy<MyLine>`.
public protocol WaitingLine: Hashable, Sendable {
  /// The name of the policy that this line makes.
  static var name: StateName { get }

  /// The order in which it lets requests enter; by default ``Discipline/inOrder``.
  static var discipline: Discipline { get }

  /// An empty line.
  init()

  /// Takes a request in, or says why not. Only `waits` and `replaces` put it into the line.
  mutating func admit(_ request: Request, behind stage: Stage) -> Admission

  /// Takes the request off whose turn it is.
  mutating func next() -> Request?

  /// Takes a visit's request out, wherever it stands.
  mutating func remove(_ visit: VisitNumber) -> Request?

  /// Whether nobody waits.
  var isEmpty: Bool { get }

  /// The waiting request that this one would come after, if it were admitted.
  func predecessor(of request: Request) -> Request?

  /// Everybody who waits, next first. Restoring them in order into an empty line makes an equal
  /// one.
  var requests: [Request] { get }

  /// Puts back a request that was in line when a snapshot was taken.
  mutating func restore(_ request: Request)
}

extension WaitingLine {
  public static var discipline: Discipline { .inOrder }
}

/// What a line makes of a request.
public enum Admission: Hashable, Sendable {
  /// It waits for its turn.
  case waits
  /// It waits, and this visit does so no longer.
  case replaces(VisitNumber)
  /// It is not taken in.
  case refused(DiscardReason)
}
