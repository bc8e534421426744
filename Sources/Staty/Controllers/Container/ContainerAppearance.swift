/// Forwards the container's own appearance calls to its children.
///
/// A call that does not fit, such as a second `willAppear`, is ignored: if the platform sends a
/// call twice, the children still get it once.
extension ContainerStage {
  /// The container begins to appear.
  ///
  /// - Parameter load: requests the state that the host wants to show. Called only if no request
  ///   was made while the container was off screen.
  func willAppear(animated: Bool, load: () -> Void) {
    guard !isOnScreen, let driver else { return }
    if driver.policy.snapshot.waiting.isEmpty { load() }
    appearance = .appearing
    appearsAnimated = animated
    if let exit = withheldExit.take() {
      exit.exited()
    } else if driver.policy.snapshot.isWithholding {
      driver.resume()
    }
  }

  func didAppear(animated: Bool) {
    guard appearance == .appearing else { return }
    appearance = .shown
    let awaited = move.map { $0.isAnimationOver ? [] : Set($0.appearing) } ?? []
    for child in children.all where !awaited.contains(child) {
      tell(child, .shown, animated: animated)
    }
    finishIfOver()
  }

  /// The container begins to disappear: the current transition is finished, and the pending request
  /// is cancelled.
  func willDisappear(animated: Bool) {
    guard isOnScreen, let driver else { return }
    let hadAppeared = appearance == .shown
    appearance = .disappearing
    for waiting in driver.policy.snapshot.waiting { driver.cancel(.visit(waiting.visit)) }
    if let move {
      move.animation?.finishEarly()
      finish(move, areChildrenShown: hadAppeared)
    }
    for child in children.all { tell(child, .disappearing, animated: animated) }
  }

  func didDisappear(animated: Bool) {
    guard appearance == .disappearing else { return }
    appearance = .hidden
    for child in children.all { tell(child, .hidden, animated: animated) }
  }
}
