/// A way of having something done later, in the isolation of the controller that asks.
public protocol TransitionTimer: AnyObject {
  /// Does something after a while, unless the step is cancelled before; who lets go of the step does not
  /// cancel it.
  func schedule(after delay: Duration, _ action: @escaping () -> Void) -> any ScheduledStep
}

/// Something that will be done later.
public protocol ScheduledStep: AnyObject {
  /// Takes it back.
  func cancel()
}
