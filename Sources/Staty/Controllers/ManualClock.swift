/// A clock for tests, which advances only when the test says so and runs the actions that are due.
public final class ManualClock: TransitionTimer {
  /// The time since the clock was created.
  public private(set) var now: Duration = .zero

  private var steps: [Step] = []
  private var scheduled = 0

  /// Creates a clock at zero.
  public init() {}

  public func schedule(
    after delay: Duration, _ action: @escaping () -> Void
  ) -> any ScheduledStep {
    scheduled += 1
    let step = Step(due: now + delay, order: scheduled, action)
    steps.append(step)
    return step
  }

  /// Advances the clock, and runs the actions that become due.
  ///
  /// Actions run in order of time. Actions with the same time run in the order in which they were
  /// scheduled. Actions that are scheduled on the way run too.
  public func advance(by duration: Duration) {
    let end = now + duration
    run(limit: duration)
    // An action may have advanced it further.
    now = max(now, end)
  }

  /// Advances the clock until no action is scheduled.
  ///
  /// - Parameter limit: the longest time to advance, for actions that schedule further ones without
  ///   end.
  public func run(limit: Duration = .seconds(3600)) {
    let end = now + limit
    while let step = next(until: end) {
      now = max(now, step.due)
      step.run()
    }
  }

  /// The number of scheduled actions.
  public var scheduledCount: Int { steps.count { !$0.isCancelled } }

  private func next(until end: Duration) -> Step? {
    steps.removeAll(where: \.isCancelled)
    guard let step = steps.min(by: Step.isEarlier), step.due <= end else { return nil }
    steps.removeAll { $0 === step }
    return step
  }

  private final class Step: ScheduledStep {
    let due: Duration
    let order: Int
    private var action: (() -> Void)?

    init(due: Duration, order: Int, _ action: @escaping () -> Void) {
      self.due = due
      self.order = order
      self.action = action
    }

    var isCancelled: Bool { action == nil }

    func cancel() {
      action = nil
    }

    func run() {
      action.take()?()
    }

    static func isEarlier(_ one: Step, _ other: Step) -> Bool {
      (one.due, one.order) < (other.due, other.order)
    }
  }
}
