#if canImport(UIKit)
  import UIKit

  /// The part of what an app shows that a ``NavigationTrack`` records.
  enum ShownPart {
    /// What is pushed, presented and selected, in one path.
    case everything
    /// What is pushed on a navigation controller.
    case pushed(withRoot: Bool)
    /// What is presented, without what is inside it.
    case presented
  }

  @MainActor extension ShownPart {
    /// The view controllers that are shown, lowest first.
    func path(from root: UIViewController) -> [UIViewController] {
      switch self {
      case .everything: Self.levels(root).flatMap(Self.inside)
      case .pushed(let withRoot): Array(Self.stack(root).dropFirst(withRoot ? 0 : 1))
      case .presented: Array(Self.levels(root).dropFirst())
      }
    }

    /// Whether the user moves between two view controllers of this part.
    func isSwiped(from root: UIViewController) -> Bool {
      switch self {
      case .everything: path(from: root).contains { $0.swipe != nil }
      case .pushed: Self.isSwiped(among: Self.stack(root))
      case .presented: Self.isSwiped(among: path(from: root))
      }
    }

    /// A search bar that is in use is presented, and is no screen.
    private static func levels(_ root: UIViewController) -> [UIViewController] {
      sequence(first: root, next: presented).filter { !($0 is UISearchController) }
    }

    /// What a view controller presents, or one inside it that defines a context for that.
    private static func presented(on controller: UIViewController) -> UIViewController? {
      if let presented = controller.presentedViewController { return presented }
      return switch controller {
      case let navigation as UINavigationController:
        navigation.viewControllers.last.flatMap(presented)
      case let tabs as UITabBarController: tabs.selectedViewController.flatMap(presented)
      default: controller.children.lazy.compactMap(presented).first
      }
    }

    private static func stack(_ root: UIViewController) -> [UIViewController] {
      (root as? UINavigationController)?.viewControllers ?? []
    }

    private static func inside(_ controller: UIViewController) -> [UIViewController] {
      switch controller {
      case let navigation as UINavigationController: navigation.viewControllers.flatMap(inside)
      case let tabs as UITabBarController: tabs.selectedViewController.map(inside) ?? []
      // Of a split view or a container of the app's own, also the stacks inside of it.
      default: [controller] + controller.children.flatMap(stacks)
      }
    }

    private static func stacks(in child: UIViewController) -> [UIViewController] {
      guard child.viewIfLoaded?.superview != nil else { return [] }
      let isStack = child is UINavigationController || child is UITabBarController
      return isStack ? inside(child) : child.children.flatMap(stacks)
    }

    private static func isSwiped(among controllers: [UIViewController]) -> Bool {
      controllers.contains { controller in
        guard let swipe = controller.swipe else { return false }
        // A view controller also has the transition of what contains it.
        let sides = [swipe.viewController(forKey: .from), swipe.viewController(forKey: .to)]
        return sides.compactMap(\.self).contains(where: controllers.contains)
      }
    }
  }

  extension UIViewController {
    /// The move of a user that can still be cancelled, or is cancelled and goes back.
    fileprivate var swipe: (any UIViewControllerTransitionCoordinator)? {
      guard let coordinator = transitionCoordinator else { return nil }
      return coordinator.isInteractive || coordinator.isCancelled ? coordinator : nil
    }
  }
#endif
