/// Manages one presentation, from before its beginning until its end.
@preconcurrency @MainActor open class UIPresentationController: NSObject {
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

/// The delegate of a presentation, told of the user's gestures and not of dismissals by code.
@preconcurrency @MainActor
public protocol UIAdaptivePresentationControllerDelegate: NSObjectProtocol {
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
  /// Pulls a sheet down, as a user does, so that its dismissal begins.
  ///
  /// - Returns: whether it can be pulled down. Only a presented sheet can, and only if neither the
  ///   controller nor the delegate forbids it.
  @discardableResult
  public func pullDown() -> Bool {
    guard let pulled = beginPull(), let presenter = presentingViewController else { return false }
    pulled.delegate?.presentationControllerWillDismiss(pulled)
    // It is not documented whether the controllers still know each other here. The double takes the
    // harder case.
    Presentation.end(
      self, on: presenter, true,
      beforeLettingGo: { pulled.delegate?.presentationControllerDidDismiss(pulled) }, nil)
    return true
  }

  /// Begins to pull a sheet down, and holds it.
  ///
  /// - Returns: whether it can be pulled down, as ``pullDown()`` says.
  @discardableResult
  public func beginPullDown() -> Bool {
    guard let pulled = beginPull(), let presenter = presentingViewController else { return false }
    pulled.delegate?.presentationControllerWillDismiss(pulled)
    pull = Dismissal(of: self, by: presenter, animated: true, isInteractive: true)
    return true
  }

  /// Lets go of a sheet that is held.
  ///
  /// It is presented until the animation has ended.
  ///
  /// - Parameter goes: whether the sheet is dismissed. Otherwise it comes back.
  public func endPullDown(goes: Bool) {
    guard let pull = pull.take() else { return }
    pull.transition.letGo(cancelled: !goes)
    if !goes { pull.turnBack() }
    MainQueue.shared.schedule(after: Presentation.duration) {
      if !goes { return pull.takeBack() }
      let pulled = self.presentationController
      pull.finish(
        { if let pulled { pulled.delegate?.presentationControllerDidDismiss(pulled) } }, nil)
    }
  }

  /// Pulls the sheet down a little and cancels, so that it stays.
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
