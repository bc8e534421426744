/// A clock that goes on only when a test says so, and does what is due while it goes.
public final class ManualClock: TransitionTimer {
  /// How far the clock has gone since it was made.
  public private(set) var now: Duration = .zero

  private var steps: [Step] = []
  private var scheduled = 0

  /// A clock at zero.
  public init() {}

  public func schedule(
    after delay: Duration, _ action: @escaping () -> Void
  ) -> any ScheduledStep {
    scheduled += 1
    let step = Step(due: now + delay, order: scheduled, action)
    steps.append(step)
    return step
  }

  /// Lets time pass.
  ///
  /// What falls due on the way is done at its time, in order of time and, at the same time, in the
  /// order in which it was scheduled; also what is scheduled meanwhile.
  public func advance(by duration: Duration) {
    let end = now + duration
    while let step = next(until: end) {
      now = max(now, step.due)
      step.run()
    }
    now = end
  }

  /// Lets time pass until nothing is scheduled any more.
  ///
  /// - Parameter limit: at most this long, for schedules that never end.
  public func run(limit: Duration = .seconds(3600)) {
    let end = now + limit
    while let step = next(until: end) {
      now = max(now, step.due)
      step.run()
    }
  }

  /// How many steps are waiting for their time.
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
