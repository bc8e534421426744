/// Measures the time that states take to enter and to exit.
///
/// This is a class because a timer is foreign code, which may call back while it is being called.
package final class DeadlineWatch {
  private let deadlines: Deadlines
  private let timer: any TransitionTimer
  private var steps: [VisitNumber: any ScheduledStep] = [:]
  /// Those that count as entered only because they exceeded their limit.
  private var forced: Set<VisitNumber> = []

  /// Returns `nil` if there is no limit.
  init?(_ deadlines: Deadlines, timer: (any TransitionTimer)?) {
    guard let timer, deadlines.hasLimit else { return nil }
    self.deadlines = deadlines
    self.timer = timer
  }

  /// A visit is being told to enter or to exit.
  ///
  /// `pass` is called if it takes too long.
  func begin(
    _ visit: VisitNumber, _ told: TransitionEvent.Kind,
    pass: @escaping (VisitNumber, Completion, DeadlineRecovery) -> Void
  ) {
    let awaited: Completion = told == .entering ? .entered : .exited
    guard let limit = deadlines.limit(for: awaited) else { return }
    let recovery = deadlines.recovery
    steps[visit] = timer.schedule(after: limit) { [weak self] in
      self?.steps[visit] = nil
      if awaited == .entered, recovery == .force { self?.forced.insert(visit) }
      pass(visit, awaited, recovery)
    }
  }

  /// The visit has completed, or its completion is no longer awaited.
  func end(_ visit: VisitNumber) {
    if !steps.isEmpty { steps.removeValue(forKey: visit)?.cancel() }
    if !forced.isEmpty { forced.remove(visit) }
  }

  /// Whether the visit counts as entered, and has not reported that it has.
  func isForced(_ visit: VisitNumber) -> Bool { forced.contains(visit) }

  func endAll() {
    for step in steps.values { step.cancel() }
    (steps, forced) = ([:], [])
  }
}
