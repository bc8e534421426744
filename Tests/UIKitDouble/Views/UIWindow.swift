/// The root of a visible hierarchy.
@preconcurrency @MainActor open class UIWindow: UIView {
  open var rootViewController: UIViewController? {
    didSet {
      if oldValue === rootViewController || !isShown { return }
      oldValue?.leaveWindow()
      rootViewController?.enter(self)
    }
  }

  private var isShown = false

  open override var window: UIWindow? { isShown ? self : nil }

  open override var next: UIResponder? { nil }

  /// Shows the window and its root.
  public func makeKeyAndVisible() {
    if isShown { return }
    isShown = true
    rootViewController?.enter(self)
  }

  /// Rotates the device: width and height change places.
  public func rotate() {
    frame.size = CGSize(width: frame.height, height: frame.width)
  }
}

extension UIViewController {
  fileprivate func enter(_ window: UIWindow) {
    view.frame = window.bounds
    view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    beginAppearanceTransition(true, animated: false)
    window.addSubview(view)
    endAppearanceTransition()
  }

  fileprivate func leaveWindow() {
    beginAppearanceTransition(false, animated: false)
    view.removeFromSuperview()
    endAppearanceTransition()
  }
}
