/// Manages a view and its child controllers.
@preconcurrency @MainActor open class UIViewController: UIResponder {
  open var title: String?
  open var modalPresentationStyle = UIModalPresentationStyle.automatic
  open var navigationItem: UINavigationItem { item }
  private let item = UINavigationItem()

  // Containment
  weak var container: UIViewController?
  open var parent: UIViewController? { container }
  var childList: [UIViewController] = []
  open var children: [UIViewController] { childList }
  public internal(set) var isMovingToParent = false
  public internal(set) var isMovingFromParent = false

  // Appearance
  var appearance = Appearance.hidden
  var appearsAnimated = false

  // Presentation
  var presented: UIViewController?
  public internal(set) weak var presentingViewController: UIViewController?
  var isComing = false
  var isGoing = false
  /// Whether one of its appearance calls runs.
  var isInCallback = false
  var coordinator: TransitionCoordinator?
  /// The dismissal by a user who has not let go of the sheet yet.
  var pull: Dismissal?
  /// Created on first use and released at the end of the presentation.
  var presentation: UIPresentationController?
  /// Whether a user cannot pull the sheet down.
  open var isModalInPresentation = false

  private var loadedView: UIView?

  public init(nibName: String?, bundle: Bundle?) {
    super.init()
  }

  public convenience override init() {
    self.init(nibName: nil, bundle: nil)
  }

  public required init?(coder: NSCoder) {
    fatalError("The double has no archives.")
  }

  // MARK: The view

  open var view: UIView! {
    get {
      loadViewIfNeeded()
      return loadedView
    }
    set {
      loadedView = newValue
      newValue?.controller = self
    }
  }

  open var viewIfLoaded: UIView? { loadedView }
  open var isViewLoaded: Bool { loadedView != nil }

  open func loadView() {
    view = UIView(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
  }

  open func loadViewIfNeeded() {
    if loadedView != nil { return }
    loadView()
    viewDidLoad()
  }

  open func viewDidLoad() {}
  open func viewWillAppear(_ animated: Bool) {}
  open func viewDidAppear(_ animated: Bool) {}
  open func viewWillDisappear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}

  // MARK: Containers

  /// Whether children get the container's appearance calls automatically.
  open var shouldAutomaticallyForwardAppearanceMethods: Bool { true }

  /// Called by `addChild` with the new parent, and by a container with `nil` before a removal.
  open func willMove(toParent parent: UIViewController?) {
    if parent == nil { isMovingFromParent = self.parent != nil }
  }

  /// Called by a container after an addition, and by `removeFromParent` with `nil`.
  open func didMove(toParent parent: UIViewController?) {
    (isMovingToParent, isMovingFromParent) = (false, false)
  }

  open var childForStatusBarStyle: UIViewController? { nil }
  open var childForStatusBarHidden: UIViewController? { nil }
  open var childForHomeIndicatorAutoHidden: UIViewController? { nil }
  open var childForScreenEdgesDeferringSystemGestures: UIViewController? { nil }
  open func setNeedsStatusBarAppearanceUpdate() {}
  open func setNeedsUpdateOfHomeIndicatorAutoHidden() {}
  open func setNeedsUpdateOfScreenEdgesDeferringSystemGestures() {}

  // MARK: Presentation

  /// Whether it appears because it is presented.
  open var isBeingPresented: Bool { isComing && UIKitDouble.tells(self) }

  /// Whether it disappears because it is dismissed.
  open var isBeingDismissed: Bool { isGoing && UIKitDouble.tells(self) }

  open func present(
    _ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil
  ) {
    Presentation.present(controller, from: self, animated: animated, completion)
  }

  open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
    Presentation.dismiss(from: self, animated: animated, completion)
  }

  /// Whether it presents what is presented from inside it in the current context.
  open var definesPresentationContext = false

  /// The controller that this one or an ancestor presents.
  open var presentedViewController: UIViewController? {
    presented ?? parent?.presentedViewController
  }

  /// Manages the presentation of this controller or of its ancestor, even before it begins.
  open var presentationController: UIPresentationController? {
    if let parent { return parent.presentationController }
    if presentation == nil {
      presentation = UIPresentationController(
        presentedViewController: self, presenting: presentingViewController)
    }
    return presentation
  }

  open var navigationController: UINavigationController? {
    parent as? UINavigationController ?? parent?.navigationController
  }

  open var tabBarController: UITabBarController? {
    parent as? UITabBarController ?? parent?.tabBarController
  }

  /// The coordinator of the animated transition under way, if there is one.
  open var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? {
    coordinator ?? parent?.transitionCoordinator
  }
}

/// How a controller is presented.
public enum UIModalPresentationStyle: Int, Sendable {
  case fullScreen = 0
  case pageSheet = 1
  case currentContext = 3
  case overFullScreen = 5
  case overCurrentContext = 6
  case automatic = -2

  /// Whether the presenter can no longer be seen.
  var hidesPresenter: Bool { self == .fullScreen }

  var needsContext: Bool { self == .currentContext || self == .overCurrentContext }
}

/// The contents of a navigation bar for a controller.
@preconcurrency @MainActor open class UINavigationItem: NSObject {
  open var title: String?
  open var leftBarButtonItem: UIBarButtonItem?
  open var rightBarButtonItem: UIBarButtonItem?

  public init(title: String) {
    self.title = title
    super.init()
  }

  public override init() {
    super.init()
  }

  open func setLeftBarButton(_ item: UIBarButtonItem?, animated: Bool) {
    leftBarButtonItem = item
  }

  open func setRightBarButton(_ item: UIBarButtonItem?, animated: Bool) {
    rightBarButtonItem = item
  }
}
