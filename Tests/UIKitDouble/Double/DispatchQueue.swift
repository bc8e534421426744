// Foundation's queues run on a real clock that no test advances. These have their names, so that code
// that imports UIKit, with or without Foundation, runs on the double's clock.

/// Runs work in later turns of the double's main queue.
///
/// All queues of the double are one.
public final class DispatchQueue: Sendable {
  /// The main queue.
  public static let main = DispatchQueue()

  private static let other = DispatchQueue()

  /// A queue of the system.
  public static func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { other }

  /// Runs a body in a later turn.
  @preconcurrency
  public func async(execute work: @escaping @Sendable () -> Void) {
    schedule(after: 0, work)
  }

  /// Runs an item in a later turn, unless it is cancelled before.
  public func async(execute item: DispatchWorkItem) {
    schedule(after: 0) { item.perform() }
  }

  /// Runs a body at a time.
  @preconcurrency
  public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable () -> Void) {
    schedule(after: deadline.seconds - DispatchTime.now().seconds, work)
  }

  /// Runs an item at a time, unless it is cancelled before.
  public func asyncAfter(deadline: DispatchTime, execute item: DispatchWorkItem) {
    schedule(after: deadline.seconds - DispatchTime.now().seconds) { item.perform() }
  }

  private func schedule(after delay: TimeInterval, _ work: @escaping () -> Void) {
    MainQueue.shared.schedule(after: delay, work)
  }
}

/// A time on the double's clock.
public struct DispatchTime: Comparable, Sendable {
  let seconds: TimeInterval

  /// The current time.
  public static func now() -> DispatchTime {
    DispatchTime(seconds: MainQueue.shared.now)
  }

  /// A later time.
  public static func + (time: DispatchTime, seconds: TimeInterval) -> DispatchTime {
    DispatchTime(seconds: time.seconds + seconds)
  }

  /// A later time.
  public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime {
    let seconds: TimeInterval =
      switch interval {
      case .seconds(let count): TimeInterval(count)
      case .milliseconds(let count): TimeInterval(count) / 1e3
      case .microseconds(let count): TimeInterval(count) / 1e6
      case .nanoseconds(let count): TimeInterval(count) / 1e9
      default: .infinity
      }
    return time + seconds
  }

  public static func < (one: DispatchTime, other: DispatchTime) -> Bool {
    one.seconds < other.seconds
  }
}
