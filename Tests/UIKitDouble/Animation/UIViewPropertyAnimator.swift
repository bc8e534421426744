/// The position at which an animation ended.
public enum UIViewAnimatingPosition: Int, Sendable {
  case end, start, current
}

/// The state of an animator.
public enum UIViewAnimatingState: Int, Sendable {
  case inactive, active, stopped
}

/// An animation that code can stop and finish.
@preconcurrency @MainActor open class UIViewPropertyAnimator {
  open private(set) var state = UIViewAnimatingState.inactive
  open private(set) var isRunning = false
  public let duration: TimeInterval

  private var animations: [() -> Void] = []
  private var completions: [(UIViewAnimatingPosition) -> Void] = []
  private var changes = AnimatedChanges()
  private var startTime: TimeInterval = 0
  private var elapsed: TimeInterval = 0
  /// The number of the latest start.
  ///
  /// Ends of earlier starts may still be scheduled.
  private var run = 0
  private var number: Int?

  public init(
    duration: TimeInterval, curve: UIView.AnimationCurve, animations: (() -> Void)? = nil
  ) {
    self.duration = duration
    if let animations { self.animations = [animations] }
  }

  public convenience init(
    duration: TimeInterval, dampingRatio ratio: CGFloat, animations: (() -> Void)? = nil
  ) {
    self.init(duration: duration, curve: .easeInOut, animations: animations)
  }

  // UIKit raises an exception too.
  isolated deinit {
    if state == .stopped || state == .active && !isRunning {
      UIKitDouble.raise(
        "NSInternalInconsistencyException",
        "It is an error to release a paused or stopped property animator. Property animators must "
          + "either finish animating or be explicitly stopped and finished before they can be "
          + "released.")
    }
  }

  open func addAnimations(_ animation: @escaping () -> Void) {
    if refuse(in: .stopped, "add animations to") { return }
    if state == .active { changes.collect(animation) } else { animations.append(animation) }
  }

  open func addCompletion(_ completion: @escaping (UIViewAnimatingPosition) -> Void) {
    if refuse(in: .stopped, "add a completion to") { return }
    completions.append(completion)
  }

  open func startAnimation() {
    startAnimation(afterDelay: 0)
  }

  open func startAnimation(afterDelay delay: TimeInterval) {
    if refuse(in: .stopped, "start") || isRunning { return }
    if state == .inactive { activate() }
    isRunning = true
    run += 1
    startTime = MainQueue.shared.now + delay - elapsed
    let (run, number) = (run, number)
    MainQueue.shared.schedule(after: delay + duration - elapsed) { [self] in
      if run == self.run, isRunning, number == self.number { end(at: .end) }
    }
  }

  open func pauseAnimation() {
    if refuse(in: .stopped, "pause") { return }
    if state == .inactive { activate() }
    elapsed = progress * duration
    isRunning = false
  }

  /// Stops at the current position.
  ///
  /// - Parameter withoutFinishing: whether the animator becomes inactive and calls no completion.
  ///   Otherwise it waits for ``finishAnimation(at:)``.
  open func stopAnimation(_ withoutFinishing: Bool) {
    guard state == .active else { return }
    changes.put(at: progress)
    isRunning = false
    state = withoutFinishing ? .inactive : .stopped
    if withoutFinishing { forget() }
  }

  /// Finishes a stopped animator and calls its completions.
  open func finishAnimation(at position: UIViewAnimatingPosition) {
    guard state == .stopped else {
      UIKitDouble.raise(
        "NSInternalInconsistencyException",
        "finishAnimationAtPosition: should only be called on a stopped animator!")
      return
    }
    end(at: position)
  }

  /// The completed fraction, from 0 to 1.
  ///
  /// Setting it moves a paused animation.
  open var fractionComplete: CGFloat {
    get { progress }
    set {
      if refuse(in: .stopped, "move") { return }
      if state == .inactive { pauseAnimation() }
      elapsed = min(1, max(0, newValue)) * duration
      if isRunning { startTime = MainQueue.shared.now - elapsed }
    }
  }

  private var progress: Double {
    if state == .inactive { return 0 }
    let passed = isRunning ? MainQueue.shared.now - startTime : elapsed
    return duration > 0 ? min(1, max(0, passed / duration)) : 1
  }

  private func activate() {
    state = .active
    changes = AnimatedChanges()
    for animation in animations { changes.collect(animation) }
    number = RunningAnimations.begin { [weak self] _ in
      guard let self else { return }
      stopAnimation(false)
      if state == .stopped { finishAnimation(at: .current) }
    }
  }

  private func end(at position: UIViewAnimatingPosition) {
    switch position {
    case .end: changes.put(at: 1)
    case .start: changes.put(at: 0)
    case .current: break
    }
    isRunning = false
    state = .inactive
    let completions = completions
    forget()
    for completion in completions { completion(position) }
  }

  private func forget() {
    if let number { RunningAnimations.forget(number) }
    (number, elapsed, animations, completions) = (nil, 0, [], [])
  }

  private func refuse(in refused: UIViewAnimatingState, _ doing: String) -> Bool {
    if state == refused {
      UIKitDouble.raise(
        "NSInternalInconsistencyException",
        "It is an error to \(doing) an animator that is stopped; finish it first.")
    }
    return state == refused
  }
}
