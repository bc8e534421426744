import Testing
import UIKit

@MainActor @Suite struct AnimationTests {
  private let view = UIView()

  @Test func `Values change at once, and the completion is called after delay and duration`() {
    UIKitDouble.reset()
    var said: [Bool] = []
    UIView.animate(withDuration: 0.6, delay: 0.2) { [view] in
      view.alpha = 0
    } completion: {
      said.append($0)
    }
    #expect(view.alpha == 0)
    UIKitDouble.advance(by: 0.7)
    #expect(said == [])
    UIKitDouble.advance(by: 0.1)
    #expect(said == [true])
  }

  @Test func `An animation without duration ends in the next turn`() {
    UIKitDouble.reset()
    var said: [Bool] = []
    UIView.animate(withDuration: 0, animations: {}, completion: { said.append($0) })
    #expect(said == [])
    UIKitDouble.drain()
    #expect(said == [true])
  }

  @Test func `An interrupted animation calls its completion once, with false`() {
    UIKitDouble.reset()
    var said: [Bool] = []
    UIView.animate(withDuration: 1, animations: {}, completion: { said.append($0) })
    UIKitDouble.interruptAnimations()
    UIKitDouble.run()
    #expect(said == [false])
  }

  @Test func `An animator ends at its end position`() {
    UIKitDouble.reset()
    let said = Said()
    let animator = animator(said)
    #expect(view.alpha == 1)
    animator.startAnimation(afterDelay: 0.5)
    UIKitDouble.advance(by: 1)
    #expect(abs(animator.fractionComplete - 0.5) < 1e-9)
    UIKitDouble.advance(by: 0.5)
    #expect(said.positions == [.end])
    #expect(animator.state == .inactive)
    #expect(view.alpha == 0)
  }

  @Test func `An animator is active during its delay`() {
    UIKitDouble.reset()
    let said = Said()
    let animator = animator(said)
    animator.startAnimation(afterDelay: 0.5)
    #expect(animator.state == .active)
    UIKitDouble.run()
    #expect(said.positions == [.end])
    #expect(UIKitDouble.now == 1.5)
  }

  @Test func `An interrupted animator ends at its current position`() {
    UIKitDouble.reset()
    let said = Said()
    let animator = animator(said)
    animator.startAnimation()
    UIKitDouble.advance(by: 0.25)
    UIKitDouble.interruptAnimations()
    #expect(said.positions == [.current])
    #expect(view.alpha == 0.75)
    UIKitDouble.run()
    #expect(said.positions == [.current])
  }

  @Test func `An animator that is stopped without finishing calls no completion`() {
    UIKitDouble.reset()
    let said = Said()
    let animator = animator(said)
    animator.startAnimation()
    UIKitDouble.advance(by: 0.5)
    animator.stopAnimation(true)
    UIKitDouble.run()
    #expect(said.positions == [])
    #expect(animator.state == .inactive)
    #expect(view.alpha == 0.5)
  }

  @Test(arguments: [UIViewAnimatingPosition.start, .current, .end])
  func `A stopped animator waits until it is finished`(position: UIViewAnimatingPosition) {
    UIKitDouble.reset()
    let said = Said()
    let animator = animator(said)
    animator.startAnimation()
    UIKitDouble.advance(by: 0.5)
    animator.stopAnimation(false)
    UIKitDouble.advance(by: 5)
    #expect(animator.state == .stopped)
    #expect(said.positions == [])
    animator.finishAnimation(at: position)
    #expect(said.positions == [position])
    #expect(view.alpha == (position == .start ? 1 : position == .end ? 0 : 0.5))
  }

  @Test func `A paused animator continues with the rest of its duration`() {
    UIKitDouble.reset()
    let said = Said()
    let animator = animator(said)
    animator.startAnimation()
    UIKitDouble.advance(by: 0.5)
    animator.pauseAnimation()
    UIKitDouble.advance(by: 5)
    #expect(said.positions == [])
    animator.startAnimation()
    UIKitDouble.advance(by: 0.5)
    #expect(said.positions == [.end])
  }

  @Test func `Finishing a running animator or starting a stopped one is an exception`() {
    UIKitDouble.reset()
    let animator = animator(Said())
    let raised = UIKitDouble.exceptions {
      animator.startAnimation()
      animator.finishAnimation(at: .end)
      animator.stopAnimation(false)
      animator.startAnimation()
      animator.addAnimations {}
      animator.addCompletion { _ in }
      animator.pauseAnimation()
    }
    animator.finishAnimation(at: .end)
    #expect(raised.count == 5)
    #expect(raised.allSatisfy { $0.name == "NSInternalInconsistencyException" })
  }

  @Test(arguments: [true, false])
  func `Releasing a paused or stopped animator is an exception`(pauses: Bool) {
    UIKitDouble.reset()
    let raised = UIKitDouble.exceptions {
      let animator = animator(Said())
      animator.startAnimation()
      if pauses { animator.pauseAnimation() } else { animator.stopAnimation(false) }
      // Scheduled work keeps it alive while it runs.
      UIKitDouble.advance(by: 2)
    }
    #expect(
      raised.map { $0.reason.prefix(56) } == [
        "It is an error to release a paused or stopped property a"
      ])
  }

  private func animator(_ said: Said) -> UIViewPropertyAnimator {
    let animator = UIViewPropertyAnimator(duration: 1, curve: .linear) { [view] in view.alpha = 0 }
    animator.addCompletion { said.positions.append($0) }
    return animator
  }
}

/// The arguments of the completions.
private final class Said {
  var positions: [UIViewAnimatingPosition] = []
}

@MainActor @Suite struct MainQueueTests {
  @Test func `Scheduled work runs in later turns, in the order of time`() {
    UIKitDouble.reset()
    var done: [String] = []
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) { done.append("later") }
    DispatchQueue.main.async {
      done.append("first")
      DispatchQueue.main.async { done.append("third") }
    }
    DispatchQueue.main.async { done.append("second") }
    #expect(done == [])
    UIKitDouble.drain()
    #expect(done == ["first", "second", "third"])
    UIKitDouble.run()
    #expect(done.last == "later")
    #expect(UIKitDouble.now == 1)
  }
}
