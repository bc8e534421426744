/// Follows a probe's events at the moment they happen, earlier than an observer.
///
/// An event that is made during the delivery of another reaches observers later, when its effects
/// have already happened. A follower is called at once. A replay needs this: it must know of an
/// output before the state is told, and it repeats recorded inputs inside the call in which they
/// happened.
package protocol ProbeFollower: AnyObject {
  /// The name for the state of the next request, if the controller gives none.
  var requestedName: StateName? { get }

  /// The probe made an event about an object. Observers are told of it next, or after the current
  /// delivery. Then the body of the event runs.
  ///
  /// - Returns: whether the body should run.
  func made(_ event: TransitionEvent, about object: AnyObject?) -> Bool

  /// The body of the event has run. Events that the follower makes now still have it as their
  /// cause.
  func finished(_ event: TransitionEvent)

  /// The controller defers the step with this number.
  func deferred(_ step: UInt32)
}

extension ProbeFollower {
  package func deferred(_ step: UInt32) {}
}
