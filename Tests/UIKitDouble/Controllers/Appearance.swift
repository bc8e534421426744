/// How far a view controller has appeared.
enum Appearance {
  case hidden, appearing, shown, disappearing
}

extension UIViewController {
  /// A container tells its child that it begins to appear or disappear.
  ///
  /// Begun and ended in pairs. A transition may be turned round before it is ended; beginning it
  /// a second time, or ending one that was not begun, is reported and passed over.
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

  /// A container tells its child that it has appeared or disappeared.
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
      // One who came in meanwhile may know already.
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

  /// Does something with the children that are seen with this controller, unless it does so itself.
  private func forward(_ tell: (UIViewController) -> Void) {
    if !shouldAutomaticallyForwardAppearanceMethods { return }
    for child in children where child.viewIfLoaded?.isDescendant(of: view) ?? false { tell(child) }
  }
}

// What adding and removing a view means for its controller, where the container leaves it to UIKit.
extension UIViewController {
  private var isForwarded: Bool {
    guard let parent, !(parent is UINavigationController) else { return false }
    return parent.shouldAutomaticallyForwardAppearanceMethods && parent.appearance == .shown
  }

  /// The view is about to come into a window.
  func viewIsAdded() {
    if isForwarded, appearance == .hidden { beginAppearanceTransition(true, animated: false) }
  }

  /// The view has come into a window.
  func viewWasAdded() {
    if isForwarded, appearance == .appearing { endAppearanceTransition() }
  }

  /// The view is about to leave its window.
  func viewIsRemoved() {
    if isForwarded, appearance == .shown { beginAppearanceTransition(false, animated: false) }
  }

  /// The view has left its window.
  func viewWasRemoved() {
    if isForwarded, appearance == .disappearing { endAppearanceTransition() }
  }

  /// The view may be put only where its controller's parent is.
  func checkParent(of view: UIView) {
    guard let above = view.controllerAbove, view.window != nil, above !== parent else { return }
    UIKitDouble.raise(
      "UIViewControllerHierarchyInconsistency",
      "child view controller:\(UIKitDouble.name(self)) should have parent view controller:"
        + "\(UIKitDouble.name(above)) but actual parent is:\(UIKitDouble.name(parent))")
  }
}

extension UIViewController {
  /// Takes a child in; the container says `didMove(toParent:)` when it is there.
  public func addChild(_ child: UIViewController) {
    if child.parent === self { return }
    child.parent?.children.removeAll { $0 === child }
    child.willMove(toParent: self)
    child.parent = self
    child.isMovingToParent = true
    children.append(child)
  }

  /// Leaves the container, which said `willMove(toParent: nil)` before.
  public func removeFromParent() {
    guard let parent else { return }
    parent.children.removeAll { $0 === self }
    self.parent = nil
    didMove(toParent: nil)
  }
}
