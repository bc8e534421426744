/// Keeps the time that states are given to come in or to leave.
///
/// Not a value: timers are somebody else's code, which may come back while it is being called.
package final class DeadlineWatch {
  private let deadlines: Deadlines
  private let timer: any TransitionTimer
  private var steps: [VisitNumber: any ScheduledStep] = [:]

  /// `nil` if states may take as long as they like.
  init?(_ deadlines: Deadlines, timer: (any TransitionTimer)?) {
    guard let timer, deadlines.hasLimit else { return nil }
    self.deadlines = deadlines
    self.timer = timer
  }

  /// A visit is being told to come in or to leave; `pass` is what is done if that takes too long.
  func begin(
    _ visit: VisitNumber, _ told: TransitionEvent.Kind,
    pass: @escaping (VisitNumber, Completion, DeadlineRecovery) -> Void
  ) {
    let awaited: Completion = told == .entering ? .entered : .exited
    guard let limit = deadlines.limit(for: awaited) else { return }
    let recovery = deadlines.recovery
    steps[visit] = timer.schedule(after: limit) { [weak self] in
      self?.steps[visit] = nil
      pass(visit, awaited, recovery)
    }
  }

  /// What was waited for has come, or nobody waits any more.
  func end(_ visit: VisitNumber) {
    if !steps.isEmpty { steps.removeValue(forKey: visit)?.cancel() }
  }

  func endAll() {
    for step in steps.values { step.cancel() }
    steps = [:]
  }
}
