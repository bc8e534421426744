/// The pending requests of a ``StagedPolicy``, which decides the order in which they enter.
///
/// To write a policy that shows one visit at a time, write a line and use it as
/// `StagedPolicy<MyLine>`.
public protocol WaitingLine: Hashable, Sendable {
  /// The name of the line's policy.
  static var name: StateName { get }

  /// The order in which requests enter; by default ``Discipline/inOrder``.
  static var discipline: Discipline { get }

  /// Creates an empty line.
  init()

  /// Adds a request to the line, or refuses it.
  ///
  /// - Returns: with `waits` and `replaces`, the line has added the request.
  mutating func admit(_ request: Request, behind stage: Stage) -> Admission

  /// Removes and returns the next request.
  mutating func next() -> Request?

  /// Removes and returns the request of a visit.
  mutating func remove(_ visit: VisitNumber) -> Request?

  /// Whether no request is pending.
  var isEmpty: Bool { get }

  /// Returns the pending request that a new request would follow.
  func predecessor(of request: Request) -> Request?

  /// The pending requests, next first. Restoring them in this order into an empty line gives an
  /// equal line.
  var requests: [Request] { get }

  /// Adds a request that was pending in a snapshot.
  mutating func restore(_ request: Request)
}

extension WaitingLine {
  public static var discipline: Discipline { .inOrder }
}

/// A line's decision about a request.
public enum Admission: Hashable, Sendable {
  /// The request is pending.
  case waits
  /// The request is pending, and replaces this pending visit, which the line has removed from itself.
  case replaces(VisitNumber)
  /// The request is discarded.
  case refused(DiscardReason)
}
