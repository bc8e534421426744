// Like UIKit, the module exports Foundation.
@_exported public import Foundation

/// What the double has for tests in addition to UIKit: time, warnings and exceptions.
///
/// A process has one double. Tests that use it run on the main actor, are not `async` and begin
/// with `reset()`.
@MainActor public enum UIKitDouble {
  /// What UIKit would have printed, in order.
  public private(set) static var warnings: [String] = []

  /// Whether `isBeingPresented` and `isBeingDismissed` are true only in `viewWillAppear` and the
  /// other appearance calls.
  ///
  /// UIKit promises no more. On devices, they are true until the end of the transition.
  public static var tellsOnlyInCallbacks = false

  private static var caught: [UIKitException]?

  /// Removes everything that is scheduled, printed or shown.
  public static func reset() {
    warnings = []
    caught = nil
    tellsOnlyInCallbacks = false
    MainQueue.shared.clear()
    RunningAnimations.clear()
  }

  /// The warnings since the last call.
  public static func takeWarnings() -> [String] {
    defer { warnings = [] }
    return warnings
  }

  /// Runs a body that may break UIKit's rules, and continues where an app would have ended.
  ///
  /// - Returns: the exceptions that UIKit would have raised.
  public static func exceptions(in body: () -> Void) -> [UIKitException] {
    caught = []
    body()
    defer { caught = nil }
    return caught ?? []
  }

  static func tells(_ controller: UIViewController) -> Bool {
    controller.isInCallback || !tellsOnlyInCallbacks
  }

  static func warn(_ text: String) {
    warnings.append(text)
  }

  static func raise(_ name: String, _ reason: String) {
    guard caught != nil else {
      fatalError("*** Terminating app due to uncaught exception '\(name)', reason: '\(reason)'")
    }
    caught?.append(UIKitException(name: name, reason: reason))
  }

  /// The name of an object in a warning.
  ///
  /// UIKit adds its address.
  static func name(_ object: AnyObject?) -> String {
    object.map { "<\(type(of: $0))>" } ?? "(null)"
  }
}

/// An Objective-C exception.
///
/// Swift cannot catch it, so an app ends.
public struct UIKitException: Hashable, Sendable {
  /// The exception's name, such as `NSInternalInconsistencyException`.
  public let name: String
  /// UIKit's message.
  public let reason: String
}
