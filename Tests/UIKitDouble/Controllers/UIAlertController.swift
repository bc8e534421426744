/// A button of an alert.
@preconcurrency @MainActor public final class UIAlertAction {
  public enum Style: Int, Sendable {
    case `default`, cancel, destructive
  }

  public let title: String?
  public let style: Style
  let handler: ((UIAlertAction) -> Void)?

  public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
    (self.title, self.style, self.handler) = (title, style, handler)
  }
}

/// The native alert.
@preconcurrency @MainActor open class UIAlertController: UIViewController {
  public enum Style: Int, Sendable {
    case actionSheet, alert
  }

  open var message: String?
  open private(set) var preferredStyle = Style.actionSheet
  open private(set) var actions: [UIAlertAction] = []

  public override init(nibName: String?, bundle: Bundle?) {
    super.init(nibName: nibName, bundle: bundle)
  }

  public convenience init(title: String?, message: String?, preferredStyle: Style) {
    self.init(nibName: nil, bundle: nil)
    (self.title, self.message, self.preferredStyle) = (title, message, preferredStyle)
    modalPresentationStyle = .overFullScreen
  }

  public required init?(coder: NSCoder) {
    fatalError("The double has no archives.")
  }

  open func addAction(_ action: UIAlertAction) {
    if action.title == nil {
      return UIKitDouble.raise(
        "NSInternalInconsistencyException", "Actions added to UIAlertController must have a title")
    }
    actions.append(action)
  }

  /// Presses a button, as a user does.
  ///
  /// The alert is dismissed, and then the action's handler is called.
  ///
  /// - Returns: whether the button could be pressed. It cannot before the alert is presented, or a
  ///   second time.
  @discardableResult
  public func press(_ title: String) -> Bool {
    guard let action = actions.first(where: { $0.title == title }), appearance == .shown,
      let presenter = presentingViewController
    else { return false }
    Presentation.end(self, on: presenter, true) { action.handler?(action) }
    return true
  }
}
