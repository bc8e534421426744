/// The main queue, on a clock that tests advance.
@MainActor final class MainQueue {
  static let shared = MainQueue()

  /// Seconds since the last reset.
  private(set) var now: TimeInterval = 0
  private var steps: [Step] = []
  private var scheduled = 0

  private struct Step {
    let due: TimeInterval
    let order: Int
    let action: () -> Void
  }

  func schedule(after delay: TimeInterval, _ action: @escaping () -> Void) {
    scheduled += 1
    steps.append(Step(due: now + max(0, delay), order: scheduled, action: action))
  }

  func clear() {
    (now, steps) = (0, [])
  }

  var isEmpty: Bool { steps.isEmpty }

  /// Runs the work that is due until then in the order of time, with work that is scheduled
  /// meanwhile.
  func run(until end: TimeInterval) {
    while let place = next(until: end) {
      let step = steps.remove(at: place)
      now = max(now, step.due)
      step.action()
    }
    if end < .infinity { now = max(now, end) }
  }

  private func next(until end: TimeInterval) -> Int? {
    let first = steps.indices.min {
      (steps[$0].due, steps[$0].order) < (steps[$1].due, steps[$1].order)
    }
    // Half a microsecond, because sums of decimal fractions are not exact.
    return first.flatMap { steps[$0].due <= end + 5e-7 ? $0 : nil }
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

/// The main queue under UIKit's name.
///
/// The double has no other queue.
@MainActor public final class DispatchQueue {
  /// The main queue.
  public static let main = DispatchQueue()

  /// Runs a body in a later turn.
  public func async(execute work: @escaping @MainActor @Sendable () -> Void) {
    MainQueue.shared.schedule(after: 0, work)
  }

  /// Runs a body at a time.
  public func asyncAfter(
    deadline: DispatchTime, execute work: @escaping @MainActor @Sendable () -> Void
  ) {
    MainQueue.shared.schedule(after: deadline.seconds - MainQueue.shared.now, work)
  }
}

/// A time on the double's clock.
public struct DispatchTime: Sendable {
  let seconds: TimeInterval

  /// The current time.
  @MainActor public static func now() -> DispatchTime {
    DispatchTime(seconds: MainQueue.shared.now)
  }

  /// A later time.
  public static func + (time: DispatchTime, seconds: TimeInterval) -> DispatchTime {
    DispatchTime(seconds: time.seconds + seconds)
  }
}
