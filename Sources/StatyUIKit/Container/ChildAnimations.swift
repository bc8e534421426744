#if canImport(UIKit)
  import Staty
  import UIKit

  /// The animations of all children in one transition of a container.
  ///
  /// The transition ends when every animation has ended. An interrupted animation has ended too;
  /// its views are moved to their final positions. Disappearing children stay in the hierarchy
  /// until all animations have ended. Only then do they get `stateTransitionDidEnd`, in which they
  /// reset their views.
  @MainActor final class ChildAnimations: ContainerAnimation {
    private var animators: [UIViewPropertyAnimator] = []
    private var awaited = 0
    private var disappearing: [ChildTransition] = []
    private var wasInterrupted = false
    private let completion: (Bool) -> Void

    init(
      appearing: [UIViewController], disappearing: [UIViewController],
      _ completion: @escaping (Bool) -> Void
    ) {
      self.completion = completion
      let transitions =
        disappearing.map { ChildTransition(child: $0, isAppearing: false) }
        + appearing.map { ChildTransition(child: $0, isAppearing: true) }
      awaited = transitions.count
      for transition in transitions { start(transition) }
    }

    private func start(_ transition: ChildTransition) {
      transition.begin()
      let animator = UIViewPropertyAnimator(
        duration: transition.duration, curve: .easeInOut, animations: transition.animate)
      // The animator retains the completion until it has called it, even if the container is
      // released.
      animator.addCompletion { position in self.ended(transition, at: position) }
      animators.append(animator)
      animator.startAnimation(afterDelay: transition.delay)
    }

    private func ended(_ transition: ChildTransition, at position: UIViewAnimatingPosition) {
      if position != .end {
        wasInterrupted = true
        UIView.performWithoutAnimation(transition.animate)
      }
      if transition.isAppearing { transition.end() } else { disappearing.append(transition) }
      awaited -= 1
      if awaited > 0 { return }
      for transition in disappearing { transition.end() }
      completion(!wasInterrupted)
    }

    func finishEarly() {
      for animator in animators where animator.state == .active {
        animator.stopAnimation(false)
        // An animator without anything to animate ends here by itself.
        if animator.state == .stopped { animator.finishAnimation(at: .end) }
      }
    }
  }
#endif
