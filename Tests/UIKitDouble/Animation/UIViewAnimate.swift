/// The animations that run now, so that a test can interrupt them.
@MainActor enum RunningAnimations {
  /// Each ends here with whether it came to its end.
  private static var all: [Int: (Bool) -> Void] = [:]
  private static var last = 0

  static func begin(_ end: @escaping (Bool) -> Void) -> Int {
    last += 1
    all[last] = end
    return last
  }

  static func end(_ number: Int, finished: Bool) {
    all.removeValue(forKey: number)?(finished)
  }

  static func forget(_ number: Int) {
    all[number] = nil
  }

  static func interrupt() {
    for number in all.keys.sorted() { end(number, finished: false) }
  }

  static func clear() {
    all = [:]
  }
}

extension UIKitDouble {
  /// Interrupts every animation under way, as another one of the same views does, or a hiding of
  /// the window: none reaches its end, and each says so.
  public static func interruptAnimations() {
    RunningAnimations.interrupt()
  }
}

extension UIView {
  /// How an animation goes.
  public struct AnimationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let beginFromCurrentState = AnimationOptions(rawValue: 1 << 2)
  }

  /// How fast it goes when.
  public enum AnimationCurve: Int, Sendable {
    case easeInOut, easeIn, easeOut, linear
  }

  /// Changes views at once and lets the change be seen over a time.
  public class func animate(
    withDuration duration: TimeInterval, delay: TimeInterval,
    options: AnimationOptions = [], animations: @escaping () -> Void,
    completion: ((Bool) -> Void)? = nil
  ) {
    animations()
    let number = RunningAnimations.begin { completion?($0) }
    MainQueue.shared.schedule(after: delay + duration) {
      RunningAnimations.end(number, finished: true)
    }
  }

  public class func animate(
    withDuration duration: TimeInterval, animations: @escaping () -> Void,
    completion: ((Bool) -> Void)? = nil
  ) {
    animate(withDuration: duration, delay: 0, animations: animations, completion: completion)
  }

  /// Changes views so that none of it is animated.
  public class func performWithoutAnimation(_ actions: () -> Void) {
    let outer = AnimatedChanges.current
    AnimatedChanges.current = nil
    actions()
    AnimatedChanges.current = outer
  }
}
