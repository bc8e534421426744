/// The main queue, on a clock that goes on only when a test says so.
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

  /// Does what is due until then, in order of time; also what is scheduled meanwhile.
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
    // Half a microsecond: sums of decimal fractions do not come out even.
    return first.flatMap { steps[$0].due <= end + 5e-7 ? $0 : nil }
  }
}

extension UIKitDouble {
  /// Seconds since the last reset.
  public static var now: TimeInterval { MainQueue.shared.now }

  /// Whether nothing is scheduled.
  public static var isIdle: Bool { MainQueue.shared.isEmpty }

  /// Lets time pass and does what falls due.
  public static func advance(by seconds: TimeInterval) {
    MainQueue.shared.run(until: MainQueue.shared.now + seconds)
  }

  /// Does what is due now.
  public static func drain() {
    advance(by: 0)
  }

  /// Lets time pass until nothing is scheduled any more.
  public static func run() {
    MainQueue.shared.run(until: .infinity)
  }
}

/// The main queue under its own name; there is no other in the double.
@MainActor public final class DispatchQueue {
  /// The queue that UIKit lives on.
  public static let main = DispatchQueue()

  /// Does something in a later turn.
  public func async(execute work: @escaping @MainActor @Sendable () -> Void) {
    MainQueue.shared.schedule(after: 0, work)
  }

  /// Does something at a time.
  public func asyncAfter(
    deadline: DispatchTime, execute work: @escaping @MainActor @Sendable () -> Void
  ) {
    MainQueue.shared.schedule(after: deadline.seconds - MainQueue.shared.now, work)
  }
}

/// A time on the double's clock.
public struct DispatchTime: Sendable {
  let seconds: TimeInterval

  /// This moment.
  @MainActor public static func now() -> DispatchTime {
    DispatchTime(seconds: MainQueue.shared.now)
  }

  /// A later time.
  public static func + (time: DispatchTime, seconds: TimeInterval) -> DispatchTime {
    DispatchTime(seconds: time.seconds + seconds)
  }
}
