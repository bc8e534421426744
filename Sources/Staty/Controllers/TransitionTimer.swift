/// Runs actions later, in the isolation of the controller that schedules them.
public protocol TransitionTimer: AnyObject {
  /// Schedules an action.
  ///
  /// Releasing the returned step does not cancel it.
  ///
  /// - Parameters:
  ///   - delay: the time until the action runs.
  ///   - action: the action.
  /// - Returns: the scheduled step, which can be cancelled.
  func schedule(after delay: Duration, _ action: @escaping () -> Void) -> any ScheduledStep
}

/// A scheduled action.
public protocol ScheduledStep: AnyObject {
  /// Cancels the action.
  func cancel()
}
