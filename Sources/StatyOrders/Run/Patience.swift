/// How long other threads are given: after one vain wait, no more.
struct Patience {
  /// For an action that has not ended, and for tasks that began on the pool: of these it is not known.
  private var (forActions, forTasks): (Duration, Duration)

  static let none = Patience(.zero)

  init(_ time: Duration) { (forActions, forTasks) = (time, time) }

  func time(hasUnfinished: Bool, hasPoolTask: Bool) -> Duration {
    max(hasUnfinished ? forActions : .zero, hasPoolTask ? forTasks : .zero)
  }

  mutating func spend(hasUnfinished: Bool) {
    if hasUnfinished { forActions = .zero }
    forTasks = .zero
  }
}
