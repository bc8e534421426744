/// A request as a policy gets it.
///
/// All of it is recorded.
public struct Request: Hashable, Sendable {
  // In this order a request has 32 bytes. Thousands may be pending.

  /// The number of the request's visit.
  public var visit: VisitNumber
  /// The urgency; larger is more urgent.
  public var priority: Int32
  /// A number that is equal for requests of the same state; 0 if that is unknown.
  public var equality: UInt32
  /// Why the request must not be carried out, if the controller found a reason.
  public var objection: Objection?
  /// The requested state.
  public var state: StateName
  /// The answers of the conditions of the routes to the state, as bits.
  public var answers: UInt64

  /// Creates a request.
  public init(
    visit: VisitNumber, state: StateName, priority: Int32 = 0, equality: UInt32 = 0,
    answers: UInt64 = 0, objection: Objection? = nil
  ) {
    self.visit = visit
    self.state = state
    self.priority = priority
    self.equality = equality
    self.answers = answers
    self.objection = objection
  }

  // A visit has one request, so its number is enough. A search hashes requests very often.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(visit)
  }
}

/// A controller's reason to reject a request, whatever the policy.
public enum Objection: UInt8, Hashable, Sendable {
  /// The controller has no state with this key.
  case unknownState = 1
  /// The visit that made the request has already exited.
  case staleOrigin
  /// The state object is in use by another controller.
  case inUseElsewhere
}
