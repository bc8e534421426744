#if canImport(UIKit)
  public import UIKit

  /// A child of a ``StateViewController`` with its own animations.
  ///
  /// Other children fade.
  ///
  /// The functions are called only in animated transitions in which the child appears or
  /// disappears.
  @MainActor public protocol StateViewControllerTransitioning: UIViewController {
    /// Returns the duration of the animation; 0.35 seconds by default.
    func stateTransitionDuration(isAppearing: Bool) -> TimeInterval

    /// Returns the delay before the animation; 0 by default.
    func stateTransitionDelay(isAppearing: Bool) -> TimeInterval

    /// Called before the animation begins. Move views to their initial positions here.
    func stateTransitionWillBegin(isAppearing: Bool)

    /// Called inside the animation. Move views to their final positions here.
    ///
    /// If the animation is interrupted, this is called again without animation.
    func animateAlongsideStateTransition(isAppearing: Bool)

    /// Called when the animation has ended or was interrupted. For a disappearing child, it is
    /// called when all animations have ended.
    ///
    /// Reset the views here, so that they are correct when they are shown again.
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

  /// The appearing or disappearing of a child.
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
      // A child that has faded out may be shown again without animation.
      child.view.alpha = 1
    }
  }
#endif
