/// A timer on a system clock, or on any other clock, for controllers that live on an actor.
public final class ClockTimer<C: Clock<Duration>>: TransitionTimer {
  private let clock: C
  // Weak, because the actor may own the controller.
  private weak let isolation: (any Actor)?

  /// Creates a timer that runs its actions on an actor, which must be the controller's actor.
  public init(_ clock: C, isolation: isolated any Actor = #isolation) {
    self.clock = clock
    self.isolation = isolation
  }

  public func schedule(
    after delay: Duration, _ action: @escaping () -> Void
  ) -> any ScheduledStep {
    let step = TaskStep(action)
    step.task = Task { [clock, weak isolation] in
      try? await Task.sleep(for: delay, tolerance: nil, clock: clock)
      if !Task.isCancelled, let isolation { await step.run(on: isolation) }
    }
    return step
  }
}

extension ClockTimer where C == ContinuousClock {
  /// Creates a timer on the clock that continues while the machine sleeps.
  public convenience init(isolation: isolated any Actor = #isolation) {
    self.init(ContinuousClock(), isolation: isolation)
  }
}

/// A step that waits in a task.
// Sendable: `action` and `task` are touched only on the actor that the step was scheduled on:
// by `schedule` and `cancel`, which its controller calls there, and by `run`.
private final class TaskStep: ScheduledStep, @unchecked Sendable {
  private var action: (() -> Void)?
  var task: Task<Void, Never>?

  init(_ action: @escaping () -> Void) {
    self.action = action
  }

  func cancel() {
    action = nil
    task?.cancel()
  }

  func run(on isolation: isolated any Actor) {
    action.take()?()
  }
}
