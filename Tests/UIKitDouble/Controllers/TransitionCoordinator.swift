/// What a coordinator tells about its transition.
@MainActor public protocol UIViewControllerTransitionCoordinatorContext {
  var isAnimated: Bool { get }
  var isCancelled: Bool { get }
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
  private let controllers: [UIViewController]
  private var completions: [(any UIViewControllerTransitionCoordinatorContext) -> Void] = []

  init(animated: Bool, _ controllers: [UIViewController]) {
    isAnimated = animated
    self.controllers = controllers
    // UIKit has a coordinator only where there is an animation to run along with.
    if animated { for controller in controllers { controller.coordinator = self } }
  }

  func animate(
    alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
    completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
  ) -> Bool {
    animation?(self)
    if let completion { completions.append(completion) }
    return true
  }

  func end(cancelled: Bool = false) {
    isCancelled = cancelled
    for controller in controllers where controller.coordinator === self {
      controller.coordinator = nil
    }
    for completion in completions { completion(self) }
  }
}
