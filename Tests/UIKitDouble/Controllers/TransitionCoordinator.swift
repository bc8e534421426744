/// One of the two controllers of a transition.
public enum UITransitionContextViewControllerKey: Sendable {
  case from, to
}

/// What a coordinator knows about its transition.
@preconcurrency @MainActor public protocol UIViewControllerTransitionCoordinatorContext {
  var isAnimated: Bool { get }
  var isCancelled: Bool { get }
  var initiallyInteractive: Bool { get }
  var isInteractive: Bool { get }
  var isInterruptible: Bool { get }
  func viewController(forKey key: UITransitionContextViewControllerKey) -> UIViewController?
}

/// Runs code alongside a transition and at its end.
@preconcurrency @MainActor
public protocol UIViewControllerTransitionCoordinator:
  UIViewControllerTransitionCoordinatorContext
{
  @discardableResult
  func animate(
    alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
    completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
  ) -> Bool
}

/// The coordinator of one transition.
///
/// Its controllers have it until the transition ends.
@MainActor final class TransitionCoordinator: UIViewControllerTransitionCoordinator {
  let isAnimated: Bool
  private(set) var isCancelled = false
  let initiallyInteractive: Bool
  private(set) var isInteractive: Bool
  let isInterruptible = false
  private var isClosing = false
  private let controllers: [UIViewController]
  private let (from, to): (UIViewController?, UIViewController?)
  private var completions: [(any UIViewControllerTransitionCoordinatorContext) -> Void] = []

  /// Creates the coordinator of a transition between two controllers, and gives it to others, too.
  init(
    animated: Bool, isInteractive: Bool = false, from: UIViewController?, to: UIViewController?,
    _ others: [UIViewController] = []
  ) {
    isAnimated = animated
    (initiallyInteractive, self.isInteractive) = (isInteractive, isInteractive)
    (self.from, self.to) = (from, to)
    controllers = others + [from, to].compactMap(\.self)
    // UIKit has a coordinator only for an animated transition.
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

  func viewController(forKey key: UITransitionContextViewControllerKey) -> UIViewController? {
    key == .from ? from : to
  }

  /// Ends the user's gesture, and with it the interactive part.
  func letGo(cancelled: Bool) {
    (isInteractive, isCancelled) = (false, cancelled)
  }

  /// Refuses further calls of `animate`, because the controllers are told of the end now.
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
