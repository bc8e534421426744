#if canImport(UIKit)
  public import UIKit

  /// How a view is shown on top of the current one; it exits in reverse.
  public enum ViewPresentation {
    /// Pushed and popped, in the navigation controller of the current view or, without one, in the
    /// root. Views that the controller has presented over it are dismissed first; what other code
    /// presents stays on top.
    case push
    /// Presented and dismissed.
    case modal(UIModalPresentationStyle)
    /// Added to the current view as a child, and removed.
    case child
    /// Shown and hidden by your own code.
    case custom(any ViewTransition)
  }

  /// A custom way to show and hide a view.
  ///
  /// No other view is shown until the completion is called. If that may never happen, give the
  /// ``TransitionController`` deadlines.
  @MainActor public protocol ViewTransition {
    /// Shows a view controller: pushes, presents or adds it.
    ///
    /// - Parameters:
    ///   - view: the view controller to show.
    ///   - present: the view controller that is shown now.
    ///   - completion: call this when the view controller is shown.
    func show(
      _ view: UIViewController, over present: UIViewController, completion: @escaping () -> Void)

    /// Hides a view controller.
    ///
    /// It may be one that a deadline skipped while it was being shown.
    ///
    /// - Parameters:
    ///   - view: the view controller to hide.
    ///   - completion: call this when it is hidden.
    func hide(_ view: UIViewController, completion: @escaping () -> Void)
  }
#endif
