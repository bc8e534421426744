#if canImport(UIKit)
  import Staty
  import UIKit

  /// Does with child view controllers what a container controller decides.
  @MainActor final class StateViewHost<State>: ContainerHost {
    // Unowned: the view controller keeps its host.
    private unowned let owner: StateViewController<State>
    /// Children that were not told yet that they have joined.
    private var joining: Set<UIViewController> = []
    private var leaving: Set<UIViewController> = []

    init(_ owner: StateViewController<State>) {
      self.owner = owner
    }

    var topChild: UIViewController? {
      owner.transitions.children.last { !leaving.contains($0) }
    }

    func loadAppearanceState() -> State { owner.loadAppearanceState() }
    func children(for state: State) -> [UIViewController] { owner.children(for: state) }

    // MARK: Coming and going

    // The view follows in `childWillAppear`: a controller is told that its view will appear before
    // that is in the hierarchy.
    func add(_ child: UIViewController, at index: Int) {
      owner.addChild(child)
      joining.insert(child)
    }

    func move(_ child: UIViewController, to index: Int) {
      if child.viewIfLoaded?.superview === owner.childContainerView { place(child) }
    }

    func willRemove(_ child: UIViewController) {
      leaving.insert(child)
      child.willMove(toParent: nil)
    }

    func remove(_ child: UIViewController) {
      leaving.remove(child)
      joining.remove(child)
      // It may have another parent by now.
      guard child.parent === owner else { return }
      child.viewIfLoaded?.removeFromSuperview()
      child.removeFromParent()
    }

    private func place(_ child: UIViewController) {
      let container = owner.childContainerView
      let below = owner.transitions.children.prefix { $0 !== child }
        .last { $0.viewIfLoaded?.superview === container }
      // Not the frame: a view that has slid out has a transform, under which that says another thing.
      child.view.bounds.size = container.bounds.size
      child.view.center = CGPoint(x: container.bounds.midX, y: container.bounds.midY)
      child.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      if let below {
        container.insertSubview(child.view, aboveSubview: below.view)
      } else {
        container.insertSubview(child.view, at: 0)
      }
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
      join(child)
      owner.childDidAppear(child, animated: animated)
    }

    func childWillDisappear(_ child: UIViewController, animated: Bool) {
      // One that is turned round while it appeared has joined by this.
      join(child)
      owner.childWillDisappear(child, animated: animated)
      child.beginAppearanceTransition(false, animated: animated)
    }

    func childDidDisappear(_ child: UIViewController, animated: Bool) {
      if leaving.contains(child) { child.viewIfLoaded?.removeFromSuperview() }
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
