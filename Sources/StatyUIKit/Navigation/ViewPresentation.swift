#if canImport(UIKit)
  public import UIKit

  /// How a view comes in on top of the present one, and leaves the other way round.
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

  /// A way for a view to come in and leave.
  ///
  /// Until it says that it is done, nothing else is shown; for one that may never, give the
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
