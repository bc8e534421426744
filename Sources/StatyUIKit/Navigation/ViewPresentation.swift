#if canImport(UIKit)
  public import UIKit

  /// How a view is shown on top of the current one; it exits in reverse.
  public enum ViewPresentation {
    /// Pushed and popped, in the navigation controller that the present view is in, else in the root;
    /// what is presented over that is dismissed before.
    case push
    /// Presented and dismissed.
    case modal(UIModalPresentationStyle)
    /// Put into the present view as a child, and taken out.
    case child
    /// In a way of one's own.
    case custom(any ViewTransition)
  }

  /// A custom way to show and hide a view.
  ///
  /// No other view is shown until it calls its completion. If it may never do that, give the
  /// ``TransitionController`` deadlines.
  @MainActor public protocol ViewTransition {
    /// Shows a view controller: pushes, presents or adds it, with whatever animation.
    ///
    /// - Parameter completion: to be called when it is shown.
    func show(
      _ view: UIViewController, over present: UIViewController, completion: @escaping () -> Void)

    /// Takes it away again; also one that was skipped by a deadline while it was being shown.
    ///
    /// - Parameter completion: to be called when it has gone.
    func hide(_ view: UIViewController, completion: @escaping () -> Void)
  }
#endif
