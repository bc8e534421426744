/// The delegate of a navigation controller, told which controller is shown.
@preconcurrency @MainActor public protocol UINavigationControllerDelegate: NSObjectProtocol {
  func navigationController(
    _ navigationController: UINavigationController, willShow viewController: UIViewController,
    animated: Bool)
  func navigationController(
    _ navigationController: UINavigationController, didShow viewController: UIViewController,
    animated: Bool)
}

extension UINavigationControllerDelegate {
  public func navigationController(
    _ navigationController: UINavigationController, willShow viewController: UIViewController,
    animated: Bool
  ) {}
  public func navigationController(
    _ navigationController: UINavigationController, didShow viewController: UIViewController,
    animated: Bool
  ) {}
}

/// Shows the last of a stack of controllers.
@preconcurrency @MainActor open class UINavigationController: UIViewController {
  /// The duration of an animated push or pop.
  static let duration: TimeInterval = 0.35

  open weak var delegate: (any UINavigationControllerDelegate)?
  private var stack: [UIViewController] = []
  private var move: StackMove?

  public init(rootViewController: UIViewController) {
    super.init(nibName: nil, bundle: nil)
    pushViewController(rootViewController, animated: false)
  }

  public override init(nibName: String?, bundle: Bundle?) {
    super.init(nibName: nibName, bundle: bundle)
  }

  public required init?(coder: NSCoder) {
    fatalError("The double has no archives.")
  }

  open var viewControllers: [UIViewController] {
    get { stack }
    set { setViewControllers(newValue, animated: false) }
  }

  open var topViewController: UIViewController? { stack.last }
  open var visibleViewController: UIViewController? { presentedViewController ?? stack.last }

  open override func viewDidLoad() {
    super.viewDidLoad()
    if let top = stack.last { place(top) }
  }

  open func pushViewController(_ controller: UIViewController, animated: Bool) {
    if stack.contains(controller) {
      return UIKitDouble.raise(
        "NSInvalidArgumentException",
        "\(UIKitDouble.name(self)) is pushing the same view controller instance "
          + "(\(UIKitDouble.name(controller))) more than once which is not supported and is most "
          + "likely an error in the application")
    }
    setViewControllers(stack + [controller], animated: animated)
  }

  @discardableResult
  open func popViewController(animated: Bool) -> UIViewController? {
    guard stack.count > 1 else { return nil }
    let top = stack.last
    setViewControllers(stack.dropLast(), animated: animated)
    return top
  }

  @discardableResult
  open func popToViewController(
    _ controller: UIViewController, animated: Bool
  ) -> [UIViewController]? {
    guard let place = stack.firstIndex(of: controller) else {
      UIKitDouble.raise(
        "NSInternalInconsistencyException", "Tried to pop to a view controller that doesn't exist.")
      return nil
    }
    let popped = Array(stack[(place + 1)...])
    if popped.isEmpty { return nil }
    setViewControllers(Array(stack[...place]), animated: animated)
    return popped
  }

  @discardableResult
  open func popToRootViewController(animated: Bool) -> [UIViewController]? {
    stack.first.flatMap { popToViewController($0, animated: animated) }
  }

  open func setViewControllers(_ controllers: [UIViewController], animated: Bool) {
    if let move {
      UIKitDouble.warn(
        "nested push animation can result in corrupted navigation bar: "
          + "\(UIKitDouble.name(self))")
      if move.coordinator.isCancelled { takeBack(move) } else { finish(move) }
    }
    begin(to: controllers, animated: animated)
  }

  private func place(_ controller: UIViewController) {
    controller.view.frame = view.bounds
    controller.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    view.addSubview(controller.view)
  }
}

// MARK: Moves

/// A change of the stack that is under way.
@MainActor private struct StackMove {
  let number: Int
  let old: [UIViewController]
  let from: UIViewController?
  let to: UIViewController?
  let animated: Bool
  let coordinator: TransitionCoordinator

  static var last = 0
}

extension UINavigationController {
  private func begin(
    to new: [UIViewController], animated: Bool, isInteractive: Bool = false
  ) {
    let old = stack
    for gone in old where !new.contains(gone) { gone.willMove(toParent: nil) }
    for arriving in new where !old.contains(arriving) { addChild(arriving) }
    stack = new
    let (from, to) = (old.last, new.last)
    let isSeen = isViewLoaded && view.window != nil && from !== to
    StackMove.last += 1
    let move = StackMove(
      number: StackMove.last, old: old, from: from, to: to, animated: animated && isSeen,
      coordinator: TransitionCoordinator(
        animated: animated && isSeen, isInteractive: isInteractive, from: from, to: to, [self]))
    self.move = move
    if let to { delegate?.navigationController(self, willShow: to, animated: animated) }
    if isSeen {
      from?.beginAppearanceTransition(false, animated: animated)
      to?.loadViewIfNeeded()
      to?.beginAppearanceTransition(true, animated: animated)
    }
    if let to, from !== to, isViewLoaded { place(to) }
    if isInteractive { return }
    if move.animated {
      MainQueue.shared.schedule(after: Self.duration) { [weak self] in self?.finish(move) }
    } else {
      finish(move)
    }
  }

  private func finish(_ move: StackMove) {
    guard self.move?.number == move.number else { return }
    self.move = nil
    move.coordinator.close()
    if move.from !== move.to { move.from?.viewIfLoaded?.removeFromSuperview() }
    settle(move.from)
    settle(move.to)
    for gone in move.old where !stack.contains(gone) { gone.removeFromParent() }
    for arrived in stack where arrived.isMovingToParent { arrived.didMove(toParent: self) }
    if let to = move.to {
      delegate?.navigationController(self, didShow: to, animated: move.animated)
    }
    move.coordinator.end()
  }

  /// Undoes a cancelled move.
  private func takeBack(_ move: StackMove) {
    guard self.move?.number == move.number else { return }
    self.move = nil
    stack = move.old
    for kept in stack { kept.isMovingFromParent = false }
    move.coordinator.close()
    move.to?.viewIfLoaded?.removeFromSuperview()
    settle(move.from)
    settle(move.to)
    move.coordinator.end()
  }

  private func settle(_ controller: UIViewController?) {
    guard let controller else { return }
    if controller.appearance == .appearing || controller.appearance == .disappearing {
      if appearance == .shown { controller.endAppearanceTransition() }
    }
  }
}

// MARK: What a user does

extension UINavigationController {
  /// Taps the back button.
  public func tapBack() {
    if move == nil { popViewController(animated: true) }
  }

  /// Begins a swipe from the edge.
  ///
  /// The stack changes now.
  public func beginSwipeBack() {
    guard move == nil, stack.count > 1, view.window != nil else { return }
    begin(to: stack.dropLast(), animated: true, isInteractive: true)
  }

  /// Ends the swipe.
  ///
  /// - Parameter goes: whether the move back is completed. Otherwise the stack is restored.
  public func endSwipeBack(goes: Bool) {
    guard let move, move.coordinator.isInteractive else { return }
    move.coordinator.letGo(cancelled: !goes)
    if !goes {
      move.from?.beginAppearanceTransition(true, animated: true)
      move.to?.beginAppearanceTransition(false, animated: true)
    }
    MainQueue.shared.schedule(after: Self.duration) { [weak self] in
      if goes { self?.finish(move) } else { self?.takeBack(move) }
    }
  }

  /// Swipes back and cancels at once.
  ///
  /// The stack does not change.
  public func swipeBackAndLetGo() {
    guard move == nil, stack.count > 1, view.window != nil, let top = stack.last else { return }
    let below = stack[stack.count - 2]
    top.beginAppearanceTransition(false, animated: true)
    below.beginAppearanceTransition(true, animated: true)
    top.beginAppearanceTransition(true, animated: true)
    below.beginAppearanceTransition(false, animated: true)
    top.endAppearanceTransition()
    below.endAppearanceTransition()
  }
}
