/// Manages one presentation, from before it begins until it is over.
@MainActor open class UIPresentationController: NSObject {
  public private(set) weak var presentedViewController: UIViewController!
  public internal(set) weak var presentingViewController: UIViewController!
  open var presentationStyle: UIModalPresentationStyle { style }
  open weak var delegate: (any UIAdaptivePresentationControllerDelegate)?

  private let style: UIModalPresentationStyle

  public init(
    presentedViewController: UIViewController,
    presenting presentingViewController: UIViewController?
  ) {
    self.presentedViewController = presentedViewController
    self.presentingViewController = presentingViewController
    style = presentedViewController.modalPresentationStyle
    super.init()
  }
}

/// Who is told what a user does to a presentation; of what code does, nobody is.
@MainActor public protocol UIAdaptivePresentationControllerDelegate: NSObjectProtocol {
  func presentationControllerShouldDismiss(_ presentationController: UIPresentationController)
    -> Bool
  func presentationControllerWillDismiss(_ presentationController: UIPresentationController)
  func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
  func presentationControllerDidAttemptToDismiss(
    _ presentationController: UIPresentationController)
}

extension UIAdaptivePresentationControllerDelegate {
  public func presentationControllerShouldDismiss(
    _ presentationController: UIPresentationController
  ) -> Bool { true }
  public func presentationControllerWillDismiss(
    _ presentationController: UIPresentationController
  ) {}
  public func presentationControllerDidDismiss(
    _ presentationController: UIPresentationController
  ) {}
  public func presentationControllerDidAttemptToDismiss(
    _ presentationController: UIPresentationController
  ) {}
}

// MARK: What a user does

extension UIViewController {
  /// Pulls the sheet down, which begins to leave.
  ///
  /// - Returns: whether it can be pulled: not before it is there, and only if it is a sheet that
  ///   nobody wants to stay.
  @discardableResult
  public func pullDown() -> Bool {
    guard let pulled = beginPull(), let presenter = presentingViewController else { return false }
    pulled.delegate?.presentationControllerWillDismiss(pulled)
    // Whether its controllers have let go of each other by then is not documented: the hardest.
    Presentation.end(
      self, on: presenter, true,
      beforeLettingGo: { pulled.delegate?.presentationControllerDidDismiss(pulled) }, nil)
    return true
  }

  /// Pulls the sheet down a little, and lets go: it stays.
  @discardableResult
  public func pullDownAndLetGo() -> Bool {
    guard let pulled = beginPull() else { return false }
    pulled.delegate?.presentationControllerWillDismiss(pulled)
    let seen = Array(sequence(first: self, next: \.presented)).filter { $0.appearance == .shown }
    for one in seen { one.beginAppearanceTransition(false, animated: true) }
    for one in seen { one.beginAppearanceTransition(true, animated: true) }
    for one in seen { one.endAppearanceTransition() }
    return true
  }

  private func beginPull() -> UIPresentationController? {
    guard appearance == .shown, !isGoing, presentingViewController != nil,
      let pulled = presentationController, pulled.presentationStyle.canBePulledDown
    else { return nil }
    let mayGo =
      !isModalInPresentation
      && pulled.delegate?.presentationControllerShouldDismiss(pulled) ?? true
    if mayGo { return pulled }
    pulled.delegate?.presentationControllerDidAttemptToDismiss(pulled)
    return nil
  }
}

extension UIModalPresentationStyle {
  fileprivate var canBePulledDown: Bool { self == .pageSheet || self == .automatic }
}
