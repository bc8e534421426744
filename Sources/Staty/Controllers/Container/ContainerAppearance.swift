/// What the container's own appearing and disappearing means for its children.
///
/// A call that does not fit, such as a second `willAppear`, is passed over: a platform that
/// doubles one must not double the children's.
extension ContainerStage {
  /// The container begins to appear.
  ///
  /// - Parameter load: makes a request for the state that the host wants to show, for when
  ///   nothing was asked for while the container was off screen.
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
    let awaited = move.map { $0.isAnimationOver ? [] : Set($0.arriving) } ?? []
    for child in children.all where !awaited.contains(child) {
      tell(child, .shown, animated: animated)
    }
    finishIfOver()
  }

  /// The container begins to disappear: what is under way is brought to its end, and what waits
  /// is dropped.
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
