#if canImport(UIKit)
  import Staty
  import UIKit

  /// The animations of all children in one transition of a container.
  ///
  /// They are over when each has ended, at whatever position: one that is interrupted has ended too,
  /// and its views are put where they would have come. Children that leave are in the hierarchy until
  /// all are over: only then they are told that theirs has ended, and put back what they showed.
  @MainActor final class ChildAnimations: ContainerAnimation {
    private var animators: [UIViewPropertyAnimator] = []
    private var awaited = 0
    private var leaving: [ChildTransition] = []
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
      // The animator keeps what it calls until it has: nothing is lost if the container goes.
      animator.addCompletion { position in self.ended(transition, at: position) }
      animators.append(animator)
      animator.startAnimation(afterDelay: transition.delay)
    }

    private func ended(_ transition: ChildTransition, at position: UIViewAnimatingPosition) {
      if position != .end {
        wasInterrupted = true
        UIView.performWithoutAnimation(transition.animate)
      }
      if transition.isAppearing { transition.end() } else { leaving.append(transition) }
      awaited -= 1
      if awaited > 0 { return }
      for transition in leaving { transition.end() }
      completion(!wasInterrupted)
    }

    func finishEarly() {
      for animator in animators where animator.state == .active {
        animator.stopAnimation(false)
        // It may have had nothing to animate, and be over by this.
        if animator.state == .stopped { animator.finishAnimation(at: .end) }
      }
    }
  }
#endif
