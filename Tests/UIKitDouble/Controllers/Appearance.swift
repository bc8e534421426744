/// The appearance state of a view controller.
enum Appearance {
  case hidden, appearing, shown, disappearing
}

extension UIViewController {
  /// Tells a child that it begins to appear or disappear.
  ///
  /// Each begin needs an end. A transition can change its direction before it ends. A second begin,
  /// or an end without a begin, is reported and ignored.
  public func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {
    let fits =
      isAppearing
      ? appearance == .hidden || appearance == .disappearing
      : appearance == .shown || appearance == .appearing
    if !fits { return reportUnbalanced() }
    appearance = isAppearing ? .appearing : .disappearing
    appearsAnimated = animated
    tell { if isAppearing { $0.viewWillAppear(animated) } else { $0.viewWillDisappear(animated) } }
    forward { $0.beginAppearanceTransition(isAppearing, animated: animated) }
  }

  /// Tells a child that it has appeared or disappeared.
  public func endAppearanceTransition() {
    switch appearance {
    case .appearing:
      appearance = .shown
      tell { $0.viewDidAppear($0.appearsAnimated) }
    case .disappearing:
      appearance = .hidden
      tell { $0.viewDidDisappear($0.appearsAnimated) }
    case .hidden, .shown:
      return reportUnbalanced()
    }
    forward { child in
      // A child that was added in a callback may have its calls already.
      if child.appearance == .appearing || child.appearance == .disappearing {
        child.endAppearanceTransition()
      }
    }
  }

  private func tell(_ callback: (UIViewController) -> Void) {
    isInCallback = true
    callback(self)
    isInCallback = false
  }

  private func reportUnbalanced() {
    UIKitDouble.warn(
      "Unbalanced calls to begin/end appearance transitions for \(UIKitDouble.name(self)).")
  }

  /// Forwards a call to the children with a view in this controller's view, unless that is switched
  /// off.
  private func forward(_ tell: (UIViewController) -> Void) {
    if !shouldAutomaticallyForwardAppearanceMethods { return }
    for child in children where child.viewIfLoaded?.isDescendant(of: view) ?? false { tell(child) }
  }
}

// Appearance calls that follow from adding and removing a view, with automatic forwarding.
extension UIViewController {
  private var isForwarded: Bool {
    guard let parent, !(parent is UINavigationController) else { return false }
    return parent.shouldAutomaticallyForwardAppearanceMethods && parent.appearance == .shown
  }

  /// The view is about to get a window.
  func viewIsAdded() {
    if isForwarded, appearance == .hidden { beginAppearanceTransition(true, animated: false) }
  }

  /// The view has got a window.
  func viewWasAdded() {
    if isForwarded, appearance == .appearing { endAppearanceTransition() }
  }

  /// The view is about to lose its window.
  func viewIsRemoved() {
    if isForwarded, appearance == .shown { beginAppearanceTransition(false, animated: false) }
  }

  /// The view has lost its window.
  func viewWasRemoved() {
    if isForwarded, appearance == .disappearing { endAppearanceTransition() }
  }

  /// Raises an exception if the view is added under a controller that is not the parent.
  func checkParent(of view: UIView) {
    guard let above = view.controllerAbove, view.window != nil, above !== parent else { return }
    UIKitDouble.raise(
      "UIViewControllerHierarchyInconsistency",
      "child view controller:\(UIKitDouble.name(self)) should have parent view controller:"
        + "\(UIKitDouble.name(above)) but actual parent is:\(UIKitDouble.name(parent))")
  }
}

extension UIViewController {
  /// Adds a child.
  ///
  /// The container calls `didMove(toParent:)` at the end.
  public func addChild(_ child: UIViewController) {
    if child.parent === self { return }
    child.parent?.childList.removeAll { $0 === child }
    child.willMove(toParent: self)
    child.container = self
    child.isMovingToParent = true
    childList.append(child)
  }

  /// Removes the controller from its container, which called `willMove(toParent: nil)` before.
  public func removeFromParent() {
    guard let parent else { return }
    parent.childList.removeAll { $0 === self }
    container = nil
    didMove(toParent: nil)
  }
}
