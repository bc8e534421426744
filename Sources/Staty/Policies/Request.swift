/// What a policy is told of a request.
///
/// Everything in it is recorded with the request.
public struct Request: Hashable, Sendable {
  /// The visit that the request becomes.
  public var visit: VisitNumber
  /// The state asked for.
  public var state: StateName
  /// How urgent it is; larger is more urgent.
  public var priority: Int32
  /// Requests with the same number other than 0 ask for the same.
  public var equality: UInt32
  /// What the guards of the routes that lead to the state answered, a bit for each.
  public var answers: UInt64
  /// Why the request may not be carried out, if the driver found that it may not.
  public var objection: Objection?

  /// A request with these parts.
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

  // A visit has one request. Whoever tells many policies apart by their hashes asks often.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(visit)
  }
}

/// Why a driver found that a request may not be carried out, whatever the policy.
public enum Objection: UInt8, Hashable, Sendable {
  /// The controller knows no state by this name.
  case unknownState = 1
  /// The visit that asked has left in the meantime.
  case staleOrigin
  /// The state object is in use by another controller.
  case inUseElsewhere
}
