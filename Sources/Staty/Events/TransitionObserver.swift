/// An object that is told of a controller's events.
///
/// All observers get all events in the same order. If `observe` causes a new event, for example by
/// a request, the new event is delivered after the current one has reached all observers. You can
/// add and remove observers at any time, also inside `observe`. A new observer gets the events that
/// are made after it was added.
public protocol TransitionObserver: AnyObject {
  /// Called for each event.
  func observe(_ event: borrowing TransitionEvent)
}
