import Staty

// A clock that a caller moves forward.
extension ScheduleRun {
  /// Moves the clock forward and runs the deferred steps that fall due, in the order of their
  /// times, also those that are deferred meanwhile.
  ///
  /// - Parameter time: how long, in microseconds.
  package func pass(_ time: Int64) {
    let end = clock.addingClamped(time)
    for _ in 0..<Self.mostPassed {
      guard let next = nextDue, next.due <= end else { return goOn(to: end) }
      goOn(to: next.due)
      takePossible(.deferred(next.id))
    }
    // A controller that defers a step in each step never comes to rest.
    if let next = nextDue { runsAway(next.id.controller) }
  }

  /// The step that is due first; of several, the one that was deferred first.
  private var nextDue: DeferredSteps.Waiting? {
    isGivenUp || isFinished ? nil : steps.nextDue
  }

  private func goOn(to time: Int64) {
    guard time > clock else { return }
    now = now.addingClamped(time - clock)
    clock = time
  }

  private static var mostPassed: Int { 10_000 }
}
