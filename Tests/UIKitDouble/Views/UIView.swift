/// A rectangle in a hierarchy of views.
@preconcurrency @MainActor open class UIView: UIResponder {
  /// How a view follows its superview's size.
  public struct AutoresizingMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
    public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4)
  }

  open private(set) weak var superview: UIView?
  open private(set) var subviews: [UIView] = []
  open var isHidden = false
  open var backgroundColor: UIColor?
  open var tag = 0
  open var isUserInteractionEnabled = true
  open var autoresizingMask: AutoresizingMask = []

  open var bounds: CGRect {
    didSet {
      noteChange(\.bounds, from: oldValue)
      resizeSubviews(from: oldValue.size)
    }
  }
  open var center: CGPoint {
    didSet { noteChange(\.center, from: oldValue) }
  }
  open var alpha: CGFloat = 1 {
    didSet { noteChange(\.alpha, from: oldValue) }
  }
  open var transform = CGAffineTransform.identity {
    didSet { noteChange(\.transform, from: oldValue) }
  }

  /// The controller of this view.
  weak var controller: UIViewController?

  public init(frame: CGRect) {
    bounds = CGRect(origin: .zero, size: frame.size)
    center = CGPoint(x: frame.midX, y: frame.midY)
    super.init()
  }

  public convenience override init() {
    self.init(frame: .zero)
  }

  public required init?(coder: NSCoder) {
    fatalError("The double has no archives.")
  }

  /// The bounding box of the transformed view.
  ///
  /// Setting it under a transform also moves the untransformed view.
  open var frame: CGRect {
    get { transform.box(of: bounds.size, around: center) }
    set {
      let size = transform.size(filling: newValue.size)
      bounds.size = size
      center = CGPoint(x: newValue.midX - transform.tx, y: newValue.midY - transform.ty)
    }
  }

  open var window: UIWindow? { superview?.window }

  open override var next: UIResponder? { controller ?? superview }

  /// Called when the window has changed.
  open func didMoveToWindow() {}
  open func layoutIfNeeded() {}
  open func setNeedsLayout() {}
}

// MARK: Hierarchy

extension UIView {
  public func addSubview(_ view: UIView) {
    insert(view, at: subviews.count)
  }

  public func insertSubview(_ view: UIView, at index: Int) {
    insert(view, at: index)
  }

  public func insertSubview(_ view: UIView, aboveSubview sibling: UIView) {
    view.takeOut(tells: false)
    insert(view, at: (subviews.firstIndex(of: sibling) ?? subviews.count - 1) + 1)
  }

  public func bringSubviewToFront(_ view: UIView) {
    guard let place = subviews.firstIndex(of: view) else { return }
    subviews.append(subviews.remove(at: place))
  }

  public func removeFromSuperview() {
    takeOut(tells: true)
  }

  public func isDescendant(of view: UIView) -> Bool {
    self === view || superview?.isDescendant(of: view) ?? false
  }

  private func insert(_ view: UIView, at index: Int) {
    let oldWindow = view.window
    view.takeOut(tells: false)
    view.controller?.checkParent(of: self)
    let isNew = window != nil && oldWindow == nil
    if isNew { view.controller?.viewIsAdded() }
    subviews.insert(view, at: min(max(0, index), subviews.count))
    view.superview = self
    if window !== oldWindow { view.tellMoved() }
    if isNew { view.controller?.viewWasAdded() }
  }

  /// - Parameter tells: whether to make the calls of a removal. `false` if the view is added
  ///   elsewhere at once.
  private func takeOut(tells: Bool) {
    guard let superview else { return }
    let wasInWindow = window != nil
    if tells, wasInWindow { controller?.viewIsRemoved() }
    superview.subviews.removeAll { $0 === self }
    self.superview = nil
    if tells, wasInWindow {
      tellMoved()
      controller?.viewWasRemoved()
    }
  }

  private func tellMoved() {
    didMoveToWindow()
    for view in subviews { view.tellMoved() }
  }

  private func resizeSubviews(from old: CGSize) {
    let (wider, higher) = (bounds.width - old.width, bounds.height - old.height)
    if wider == 0, higher == 0 { return }
    for view in subviews {
      let mask = view.autoresizingMask
      if mask.contains(.flexibleWidth) {
        view.bounds.size.width += wider
        view.center.x += wider / 2
      }
      if mask.contains(.flexibleHeight) {
        view.bounds.size.height += higher
        view.center.y += higher / 2
      }
    }
  }

  /// The controller of this view, or of the nearest view above with one.
  var controllerAbove: UIViewController? { controller ?? superview?.controllerAbove }
}
