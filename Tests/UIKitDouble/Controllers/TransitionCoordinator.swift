/// What a coordinator tells about its transition.
@MainActor public protocol UIViewControllerTransitionCoordinatorContext {
  var isAnimated: Bool { get }
  var isCancelled: Bool { get }
  var initiallyInteractive: Bool { get }
  var isInteractive: Bool { get }
  var isInterruptible: Bool { get }
}

/// Runs something along with a transition, and when it is over.
@MainActor
public protocol UIViewControllerTransitionCoordinator:
  UIViewControllerTransitionCoordinatorContext
{
  @discardableResult
  func animate(
    alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
    completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
  ) -> Bool
}

/// The coordinator of one transition, known to its controllers until that is over.
@MainActor final class TransitionCoordinator: UIViewControllerTransitionCoordinator {
  let isAnimated: Bool
  private(set) var isCancelled = false
  let initiallyInteractive: Bool
  private(set) var isInteractive: Bool
  let isInterruptible = false
  private var isClosing = false
  private let controllers: [UIViewController]
  private var completions: [(any UIViewControllerTransitionCoordinatorContext) -> Void] = []

  init(animated: Bool, isInteractive: Bool = false, _ controllers: [UIViewController]) {
    isAnimated = animated
    (initiallyInteractive, self.isInteractive) = (isInteractive, isInteractive)
    self.controllers = controllers
    // UIKit has a coordinator only where there is an animation to run along with.
    if animated { for controller in controllers { controller.coordinator = self } }
  }

  func animate(
    alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
    completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
  ) -> Bool {
    if isClosing { return false }
    animation?(self)
    if let completion { completions.append(completion) }
    return true
  }

  /// The user lets go: whether it goes on or back is decided.
  func letGo(cancelled: Bool) {
    (isInteractive, isCancelled) = (false, cancelled)
  }

  /// Controllers are told that it is over: it takes nothing any more.
  func close() {
    isClosing = true
  }

  func end() {
    for controller in controllers where controller.coordinator === self {
      controller.coordinator = nil
    }
    for completion in completions { completion(self) }
  }
}
