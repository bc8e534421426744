#if canImport(UIKit)
  import Staty
  import UIKit

  /// Carries out the decisions of a container controller on child view controllers.
  @MainActor final class StateViewHost<State>: ContainerHost {
    // Unowned: the view controller owns its host.
    private unowned let owner: StateViewController<State>
    /// Children that did not get `didMove(toParent:)` yet.
    private var joining: Set<UIViewController> = []
    private var disappearing: Set<UIViewController> = []

    init(_ owner: StateViewController<State>) {
      self.owner = owner
    }

    var topChild: UIViewController? {
      owner.transitions.children.last { !disappearing.contains($0) }
    }

    func loadAppearanceState() -> State { owner.loadAppearanceState() }
    func children(for state: State) -> [UIViewController] { owner.children(for: state) }

    // MARK: Coming and going

    // The view is added in `childWillAppear`, because a controller gets `viewWillAppear` before its
    // view is in the hierarchy.
    func add(_ child: UIViewController, at index: Int) {
      owner.addChild(child)
      joining.insert(child)
    }

    func move(_ child: UIViewController, to index: Int) {
      // A child that disappears stays on top.
      if disappearing.contains(child) { return }
      if child.viewIfLoaded?.superview === owner.childContainerView { place(child) }
    }

    func willRemove(_ child: UIViewController) {
      disappearing.insert(child)
      if let view = child.viewIfLoaded, view.superview === owner.childContainerView {
        owner.childContainerView.bringSubviewToFront(view)
      }
      child.willMove(toParent: nil)
    }

    func remove(_ child: UIViewController) {
      disappearing.remove(child)
      joining.remove(child)
      // It may have another parent by now.
      guard child.parent === owner else { return }
      child.viewIfLoaded?.removeFromSuperview()
      child.removeFromParent()
    }

    /// Puts a child's view into the container: in the order of the state's children, below those
    /// that disappear.
    private func place(_ child: UIViewController) {
      let container = owner.childContainerView
      let below = owner.transitions.children.prefix { $0 !== child }
        .count { !disappearing.contains($0) && $0.viewIfLoaded?.superview === container }
      // Not the frame, which is undefined for a view with a transform, such as one that has slid
      // out.
      child.view.bounds.size = container.bounds.size
      child.view.center = CGPoint(x: container.bounds.midX, y: container.bounds.midY)
      child.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      container.insertSubview(child.view, at: below)
    }

    private func join(_ child: UIViewController) {
      if joining.remove(child) != nil { child.didMove(toParent: owner) }
    }

    // MARK: Appearing

    func childWillAppear(_ child: UIViewController, animated: Bool) {
      owner.childWillAppear(child, animated: animated)
      child.loadViewIfNeeded()
      child.beginAppearanceTransition(true, animated: animated)
      if child.view.superview !== owner.childContainerView { place(child) }
    }

    func childDidAppear(_ child: UIViewController, animated: Bool) {
      child.endAppearanceTransition()
      owner.childDidAppear(child, animated: animated)
      join(child)
    }

    func childWillDisappear(_ child: UIViewController, animated: Bool) {
      // If the child was still appearing, it gets `didMove(toParent:)` here.
      join(child)
      owner.childWillDisappear(child, animated: animated)
      child.beginAppearanceTransition(false, animated: animated)
    }

    func childDidDisappear(_ child: UIViewController, animated: Bool) {
      if disappearing.contains(child) { child.viewIfLoaded?.removeFromSuperview() }
      child.endAppearanceTransition()
      owner.childDidDisappear(child, animated: animated)
    }

    // MARK: Transitions

    func willTransition(to state: State, animated: Bool) {
      owner.willTransition(to: state, animated: animated)
    }

    func didTransition(from previous: State?, animated: Bool) {
      owner.setNeedsStatusBarAppearanceUpdate()
      owner.setNeedsUpdateOfHomeIndicatorAutoHidden()
      owner.setNeedsUpdateOfScreenEdgesDeferringSystemGestures()
      owner.didTransition(from: previous, animated: animated)
    }

    func animate(
      appearing: [UIViewController], disappearing: [UIViewController],
      completion: @escaping (Bool) -> Void
    ) -> (any ContainerAnimation)? {
      ChildAnimations(appearing: appearing, disappearing: disappearing, completion)
    }
  }
#endif
