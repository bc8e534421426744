#if canImport(UIKit)
  public import UIKit

  /// A child of a ``StateViewController`` that shows its own coming and going; others fade.
  ///
  /// Called only for animated transitions in which the child comes or goes.
  @MainActor public protocol StateViewControllerTransitioning: UIViewController {
    /// How long the animation takes; 0.35 seconds by default.
    func stateTransitionDuration(isAppearing: Bool) -> TimeInterval

    /// How long it waits before it begins; not at all by default.
    func stateTransitionDelay(isAppearing: Bool) -> TimeInterval

    /// The animation is about to begin: a place to put views where they come from.
    func stateTransitionWillBegin(isAppearing: Bool)

    /// What is animated: puts views where they go.
    ///
    /// Called a second time, without animation, if the animation was interrupted.
    func animateAlongsideStateTransition(isAppearing: Bool)

    /// The animation is over, also if it was interrupted; of a child that goes, when all are over.
    ///
    /// A place to put views back that went, so that they are right when they are shown again.
    func stateTransitionDidEnd(isAppearing: Bool)
  }

  extension StateViewControllerTransitioning {
    public func stateTransitionDuration(isAppearing: Bool) -> TimeInterval { fadeDuration }
    public func stateTransitionDelay(isAppearing: Bool) -> TimeInterval { 0 }
    public func stateTransitionWillBegin(isAppearing: Bool) {}
    public func animateAlongsideStateTransition(isAppearing: Bool) {}
    public func stateTransitionDidEnd(isAppearing: Bool) {}
  }

  private let fadeDuration: TimeInterval = 0.35

  /// How a child comes or goes.
  @MainActor struct ChildTransition {
    let child: UIViewController
    let isAppearing: Bool

    private var own: (any StateViewControllerTransitioning)? {
      child as? any StateViewControllerTransitioning
    }

    var duration: TimeInterval {
      own?.stateTransitionDuration(isAppearing: isAppearing) ?? fadeDuration
    }

    var delay: TimeInterval { own?.stateTransitionDelay(isAppearing: isAppearing) ?? 0 }

    func begin() {
      if let own { return own.stateTransitionWillBegin(isAppearing: isAppearing) }
      if isAppearing { child.view.alpha = 0 }
    }

    func animate() {
      if let own { return own.animateAlongsideStateTransition(isAppearing: isAppearing) }
      child.view.alpha = isAppearing ? 1 : 0
    }

    func end() {
      if let own { return own.stateTransitionDidEnd(isAppearing: isAppearing) }
      // One that has faded out may be shown again, and perhaps not animated.
      child.view.alpha = 1
    }
  }
#endif
