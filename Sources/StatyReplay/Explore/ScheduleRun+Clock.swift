import Staty

// Time, where somebody lets it pass.
extension ScheduleRun {
  /// Lets time pass: what controllers have put off runs when its time has come, in the order of these
  /// times, and so does what they put off meanwhile.
  ///
  /// - Parameter time: how long, in microseconds.
  package func pass(_ time: Int64) {
    let end = clock.addingClamped(time)
    for _ in 0..<Self.mostPassed {
      guard let next = nextDue, next.due <= end else { return goOn(to: end) }
      goOn(to: next.due)
      takePossible(.putOff(next.id))
    }
    // Who puts off a step in each step never comes to rest.
    if let next = nextDue { runsAway(next.id.controller) }
  }

  /// The step that is due first; of several the one that was put off first.
  private var nextDue: WaitingStep? {
    if isGivenUp || isFinished { return nil }
    return steps.filter(\.step.isWaiting).min { $0.due < $1.due }
  }

  private func goOn(to time: Int64) {
    guard time > clock else { return }
    now = now.addingClamped(time - clock)
    clock = time
  }

  private static var mostPassed: Int { 10_000 }
}
