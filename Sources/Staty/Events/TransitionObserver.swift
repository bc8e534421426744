/// Somebody who is told what happens at a controller.
///
/// Every observer sees every event in the same order. An event that is made while another is
/// being delivered, say by a request from inside `observe`, is delivered after that one has
/// reached all observers. Observers may come and go at any time, also from inside a callback;
/// a new one sees what is made from then on.
public protocol TransitionObserver: AnyObject {
  /// An event happened.
  func observe(_ event: borrowing TransitionEvent)

  /// Whether the observer wants to be told by `willPerform` and `didPerform`; read when it is
  /// added. By default it is not.
  var observesPerforming: Bool { get }

  /// The controller is about to do what this output says. What happens until `didPerform`
  /// on the same thread, at other controllers too, happens because of it.
  func willPerform(_ event: borrowing TransitionEvent)

  /// The controller has done what this output says.
  func didPerform(_ event: borrowing TransitionEvent)
}

extension TransitionObserver {
  public var observesPerforming: Bool { false }
  public func observe(_ event: borrowing TransitionEvent) {}
  public func willPerform(_ event: borrowing TransitionEvent) {}
  public func didPerform(_ event: borrowing TransitionEvent) {}
}
