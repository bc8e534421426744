/// Somebody who is told what happens at a controller.
///
/// Every observer sees every event in the same order. An event that is made while another is
/// being delivered, say by a request from inside `observe`, is delivered after that one has
/// reached all observers. Observers may come and go at any time, also from inside a callback;
/// a new one sees what is made from then on.
public protocol TransitionObserver: AnyObject {
  /// An event happened.
  func observe(_ event: borrowing TransitionEvent)
}
