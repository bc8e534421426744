/// The action of a control.
@preconcurrency @MainActor public final class UIAction {
  public let title: String
  let handler: (UIAction) -> Void

  public init(title: String = "", handler: @escaping (UIAction) -> Void) {
    (self.title, self.handler) = (title, handler)
  }
}

/// A view that reports a user's actions.
@preconcurrency @MainActor open class UIControl: UIView {
  public struct Event: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let touchUpInside = Event(rawValue: 1 << 6)
    public static let valueChanged = Event(rawValue: 1 << 12)
  }

  private var actions: [(action: UIAction, events: Event)] = []

  open func addAction(_ action: UIAction, for events: Event) {
    actions.append((action, events))
  }

  open func sendActions(for events: Event) {
    for (action, wanted) in actions where !wanted.isDisjoint(with: events) {
      action.handler(action)
    }
  }
}

/// A button of a bar.
@preconcurrency @MainActor open class UIBarButtonItem: NSObject {
  open var title: String?
  open var isEnabled = true
  open var primaryAction: UIAction?

  public override init() {
    super.init()
  }

  public convenience init(title: String? = nil, primaryAction: UIAction? = nil) {
    self.init()
    (self.title, self.primaryAction) = (title, primaryAction)
  }

  /// Taps the button, as a user does.
  public func tap() {
    if isEnabled, let primaryAction { primaryAction.handler(primaryAction) }
  }
}

/// The wheel above a table that a user pulls down.
@preconcurrency @MainActor open class UIRefreshControl: UIControl {
  open private(set) var isRefreshing = false

  open func beginRefreshing() {
    isRefreshing = true
  }

  open func endRefreshing() {
    isRefreshing = false
  }

  /// Pulls, as a user does.
  ///
  /// Has no effect while it is refreshing.
  public func pull() {
    if isRefreshing { return }
    beginRefreshing()
    sendActions(for: .valueChanged)
  }
}
