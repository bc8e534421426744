/// The delegate of a tab bar controller, told which tab a user selects, and not of selections by
/// code.
@preconcurrency @MainActor public protocol UITabBarControllerDelegate: NSObjectProtocol {
  func tabBarController(
    _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
  ) -> Bool
  func tabBarController(
    _ tabBarController: UITabBarController, didSelect viewController: UIViewController)
}

extension UITabBarControllerDelegate {
  public func tabBarController(
    _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
  ) -> Bool { true }
  public func tabBarController(
    _ tabBarController: UITabBarController, didSelect viewController: UIViewController
  ) {}
}

/// Shows one of several controllers.
@preconcurrency @MainActor open class UITabBarController: UIViewController {
  open weak var delegate: (any UITabBarControllerDelegate)?
  private var tabs: [UIViewController] = []
  private var selected: UIViewController?

  public override init(nibName: String?, bundle: Bundle?) {
    super.init(nibName: nibName, bundle: bundle)
  }

  public required init?(coder: NSCoder) {
    fatalError("The double has no archives.")
  }

  open var viewControllers: [UIViewController]? {
    get { tabs }
    set { setViewControllers(newValue, animated: false) }
  }

  open func setViewControllers(_ controllers: [UIViewController]?, animated: Bool) {
    let new = controllers ?? []
    for gone in tabs where !new.contains(gone) {
      if gone === selected { select(nil) }
      gone.willMove(toParent: nil)
      gone.removeFromParent()
    }
    for arriving in new where !tabs.contains(arriving) {
      addChild(arriving)
      arriving.didMove(toParent: self)
    }
    tabs = new
    if selected == nil { select(new.first) }
  }

  open var selectedViewController: UIViewController? {
    get { selected }
    set { select(newValue) }
  }

  open var selectedIndex: Int {
    get { tabs.firstIndex { $0 === selected } ?? Int.max }
    set { if tabs.indices.contains(newValue) { select(tabs[newValue]) } }
  }

  open override func viewDidLoad() {
    super.viewDidLoad()
    if let selected { place(selected) }
  }

  private func select(_ new: UIViewController?) {
    if new === selected { return }
    let old = selected
    selected = new
    guard isViewLoaded else { return }
    // Views that get and lose a window make their appearance calls by themselves.
    old?.viewIfLoaded?.removeFromSuperview()
    if let new { place(new) }
  }

  private func place(_ controller: UIViewController) {
    controller.view.frame = view.bounds
    controller.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    view.addSubview(controller.view)
  }

  /// Taps a tab, as a user does.
  public func tapTab(_ index: Int) {
    guard tabs.indices.contains(index) else { return }
    let tapped = tabs[index]
    if delegate?.tabBarController(self, shouldSelect: tapped) ?? true {
      select(tapped)
      delegate?.tabBarController(self, didSelect: tapped)
    }
  }
}
