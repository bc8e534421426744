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

    /// Whether the user moves between two view controllers of this part, in a way that can still be
    /// cancelled, or is cancelled and goes back.
    func isSwiped(from root: UIViewController) -> Bool {
      isMoving(from: root) { $0.isInteractive || $0.isCancelled }
    }

    /// Whether a transition of this part is under way.
    func isMoving(
      from root: UIViewController,
      _ isMeant: (any UIViewControllerTransitionCoordinator) -> Bool = { _ in true }
    ) -> Bool {
      switch self {
      case .everything:
        path(from: root).contains { $0.transitionCoordinator.map(isMeant) ?? false }
      case .pushed:
        Self.isMoving(among: Self.stack(root)) { transition in
          isMeant(transition) && !transition.sides.contains { $0 is UINavigationController }
        }
      case .presented: Self.isMoving(among: path(from: root), isMeant)
      }
    }

    /// A search bar that is in use and an open menu are presented, and are no screens.
    private static func levels(_ root: UIViewController) -> [UIViewController] {
      sequence(first: root, next: presented).filter {
        !($0 is UISearchController) && !$0.isContextMenu
      }
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

    /// What is pushed, without the navigation controller that a collapsed split view puts on top.
    private static func stack(_ root: UIViewController) -> [UIViewController] {
      let all = (root as? UINavigationController)?.viewControllers ?? []
      return all.filter { !($0 is UINavigationController) }
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

    private static func isMoving(
      among controllers: [UIViewController],
      _ isMeant: (any UIViewControllerTransitionCoordinator) -> Bool
    ) -> Bool {
      controllers.contains { controller in
        guard let transition = controller.transitionCoordinator, isMeant(transition) else {
          return false
        }
        // A view controller also has the transition of what contains it.
        return transition.sides.contains(where: controllers.contains)
      }
    }
  }

  extension UIViewControllerTransitionCoordinator {
    /// The view controllers before and after the transition.
    fileprivate var sides: [UIViewController] {
      [viewController(forKey: .from), viewController(forKey: .to)].compactMap(\.self)
    }
  }
#endif
