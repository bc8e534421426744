import Synchronization

/// The main queue, on a clock that tests advance.
final class MainQueue: Sendable {
  static let shared = MainQueue()

  private struct State {
    var now: TimeInterval = 0
    var steps: [Step] = []
    var scheduled = 0
  }

  // Sendable: only `run(until:)` calls the action, on the main actor.
  private struct Step: @unchecked Sendable {
    let delay: TimeInterval
    var due: TimeInterval = 0
    var order = 0
    let action: () -> Void
  }

  // Behind a lock, because work may be scheduled from any thread.
  private let state = Mutex(State())

  /// Seconds since the last reset.
  var now: TimeInterval { state.withLock { $0.now } }

  var isEmpty: Bool { state.withLock { $0.steps.isEmpty } }

  func schedule(after delay: TimeInterval, _ action: @escaping () -> Void) {
    let step = Step(delay: max(0, delay), action: action)
    state.withLock { state in
      var step = step
      state.scheduled += 1
      (step.due, step.order) = (state.now + step.delay, state.scheduled)
      state.steps.append(step)
    }
  }

  func clear() {
    // Released outside of the lock, because what a closure keeps may schedule work when it goes.
    let old = state.withLock { state in
      defer { (state.now, state.steps) = (0, []) }
      return state.steps
    }
    withExtendedLifetime(old) {}
  }

  /// Runs the work that is due until then in the order of time, with work that is scheduled
  /// meanwhile.
  @MainActor func run(until end: TimeInterval) {
    RunLoopObservers.tellBeforeWaiting()
    while let step = next(until: end) {
      step.action()
      RunLoopObservers.tellBeforeWaiting()
    }
    if end < .infinity { state.withLock { $0.now = max($0.now, end) } }
  }

  /// Takes out the next step that is due, and advances the clock to it.
  private func next(until end: TimeInterval) -> Step? {
    state.withLock { state in
      let first = state.steps.indices.min {
        (state.steps[$0].due, state.steps[$0].order) < (state.steps[$1].due, state.steps[$1].order)
      }
      // Half a microsecond, because sums of decimal fractions are not exact.
      guard let first, state.steps[first].due <= end + 5e-7 else { return nil }
      let step = state.steps.remove(at: first)
      state.now = max(state.now, step.due)
      return step
    }
  }
}

extension UIKitDouble {
  /// Seconds since the last reset.
  public static var now: TimeInterval { MainQueue.shared.now }

  /// Whether nothing is scheduled.
  public static var isIdle: Bool { MainQueue.shared.isEmpty }

  /// Advances the clock and runs the work that is due.
  public static func advance(by seconds: TimeInterval) {
    MainQueue.shared.run(until: MainQueue.shared.now + seconds)
  }

  /// Runs the work that is due now.
  public static func drain() {
    advance(by: 0)
  }

  /// Advances the clock until nothing is scheduled.
  public static func run() {
    MainQueue.shared.run(until: .infinity)
  }
}
