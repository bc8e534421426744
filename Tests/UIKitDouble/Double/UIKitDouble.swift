// As UIKit does: who imports it has Foundation.
@_exported public import Foundation

/// What a test sees of the double, and UIKit has not: time, warnings and exceptions.
///
/// There is one for the process, as there is one UIKit. Tests that use it live on the main actor,
/// are not `async`, and begin with `reset()`.
@MainActor public enum UIKitDouble {
  /// What UIKit would have printed, in order.
  public private(set) static var warnings: [String] = []

  /// Whether controllers say that they are being presented or dismissed only to who asks in
  /// `viewWillAppear` and its like.
  ///
  /// No more than that was ever promised. On devices they are seen to say so until it is over.
  public static var tellsOnlyInCallbacks = false

  private static var caught: [UIKitException]?

  /// Forgets everything: nothing is scheduled, printed or shown any more.
  public static func reset() {
    warnings = []
    caught = nil
    tellsOnlyInCallbacks = false
    MainQueue.shared.clear()
    RunningAnimations.clear()
  }

  /// The warnings since the last time.
  public static func takeWarnings() -> [String] {
    defer { warnings = [] }
    return warnings
  }

  /// Does something that may break UIKit's rules, and goes on where an app would have ended.
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

  /// An object as UIKit writes it into a warning, without the address, which varies.
  static func name(_ object: AnyObject?) -> String {
    object.map { "<\(type(of: $0))>" } ?? "(null)"
  }
}

/// An exception of Objective-C's, which Swift cannot catch and an app does not survive.
public struct UIKitException: Hashable, Sendable {
  /// The exception's name, such as `NSInternalInconsistencyException`.
  public let name: String
  /// What UIKit says about it.
  public let reason: String
}
