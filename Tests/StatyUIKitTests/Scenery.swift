import Foundation
import Staty
import UIKit

/// Resets the double and shows this root in a visible window.
///
/// Call it in a test and not in its suite's `init`, because another test may run between the two.
@MainActor func show(_ root: UIViewController) -> UIWindow {
  UIKitDouble.reset()
  lastShown = root
  let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
  window.rootViewController = root
  window.makeKeyAndVisible()
  return window
}

/// Kept until the next test, so that it is released on the main thread like a view controller.
///
/// A suite and its properties can be released on any thread.
@MainActor var lastShown: UIViewController?

/// Has the name of what UIKit presents for an open menu.
final class _UIContextMenuActionsOnlyViewController: UIViewController {}

/// Logs a controller's events, as one short line for each.
final class EventLines: TransitionObserver {
  private(set) var lines: [String] = []
  private(set) var events: [TransitionEvent] = []

  func observe(_ event: borrowing TransitionEvent) {
    let event = copy event
    events.append(event)
    lines.append(Self.line(event))
  }

  /// The reasons of refused requests.
  var refusals: [String] {
    events.compactMap { event in
      guard case .discard(.rejected(let refusal)) = event.detail, let state = event.state else {
        return nil
      }
      return refusal.description(for: state)
    }
  }

  /// The lines since the last call.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }

  private static func line(_ event: TransitionEvent) -> String {
    var line = "\(event.kind) \(event.state.map(\.description) ?? "–")"
    if case .discard(let reason) = event.detail {
      if case .rejected = reason { line += " rejected" } else { line += " \(reason)" }
    }
    return line
  }
}

/// The number of random sequences in a test: `STATY_UIKIT_RUNS`, or the argument.
func randomRuns(_ usual: Int) -> UInt64 {
  ProcessInfo.processInfo.environment["STATY_UIKIT_RUNS"].flatMap { UInt64($0) } ?? UInt64(usual)
}
