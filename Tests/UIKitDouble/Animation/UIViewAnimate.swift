/// The running animations, so that a test can interrupt them.
@MainActor enum RunningAnimations {
  /// The completions of the running animations, by number.
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
  /// Interrupts all running animations.
  ///
  /// Each calls its completion with `false`.
  ///
  /// In UIKit, another animation of the same views does this, or hiding the window.
  public static func interruptAnimations() {
    RunningAnimations.interrupt()
  }
}

extension UIView {
  /// The options of an animation.
  public struct AnimationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let beginFromCurrentState = AnimationOptions(rawValue: 1 << 2)
  }

  /// The course of an animation's speed.
  public enum AnimationCurve: Int, Sendable {
    case easeInOut, easeIn, easeOut, linear
  }

  /// Changes views at once and calls the completion after delay and duration.
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

  /// Changes views without animation.
  public class func performWithoutAnimation(_ actions: () -> Void) {
    let outer = AnimatedChanges.current
    AnimatedChanges.current = nil
    actions()
    AnimatedChanges.current = outer
  }
}
