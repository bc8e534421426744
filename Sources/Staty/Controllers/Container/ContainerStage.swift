/// Performs a driver's commands on the children of a container.
///
/// A state of a container exits at once when it is told to exit. The whole transition, with all
/// children that appear and disappear, belongs to the state that enters. While the container is off
/// screen, a state that is told to exit stays until the container appears again. The policy handles
/// the pending requests in the meantime.
///
/// Order: each call from outside is one step, and steps do not run inside each other. While
/// children get their appearance calls, either a visit is entering or the container is off screen.
/// In both cases the policy keeps new requests pending. So the list of children cannot change
/// during these calls.
final class ContainerStage<State, Child: Hashable>: StagePerformer {
  typealias Host = any ContainerHost<State, Child>

  /// A requested state.
  struct Place {
    let state: State
    let animated: Bool
  }

  weak var host: Host?
  weak var driver: TransitionDriver?
  private(set) var current: State?
  var move: ContainerMove<State, Child>?
  var children = ContainerChildren<Child>()
  /// The appearance of the container itself.
  var appearance = ContainerChildren<Child>.Appearance.hidden
  var appearsAnimated = false
  /// The visit that was told to exit while the container was off screen.
  var withheldExit: Visit?

  private var places: [Place?] = []
  private var isInStep = false
  private var waitingSteps: [() -> Void] = []

  var isOnScreen: Bool { appearance == .appearing || appearance == .shown }

  func keep(_ place: Place, in slot: Int32) {
    let slot = Int(slot)
    while places.count <= slot { places.append(nil) }
    places[slot] = place
  }

  func place(in slot: Int32) -> Place? { places[Int(slot)] }

  func forget(_ slot: Int32) {
    places[Int(slot)] = nil
  }

  func hold() -> Bool { host != nil }
  func letGo() {}

  func enter(_ visit: Visit) -> Bool {
    guard let host, let place = places[Int(visit.slot)] else { return false }
    let animated = place.animated && (appearance == .shown || appearsAnimated)
    let previous = current
    host.willTransition(to: place.state, animated: animated)
    current = place.state
    begin(visit, from: previous, to: Self.unique(host.children(for: place.state)), animated, host)
    return true
  }

  func exit(_ visit: Visit) -> Bool {
    guard host != nil else { return false }
    if isOnScreen { visit.exited() } else { withheldExit = visit }
    return true
  }

  /// Off screen it exits when the user comes back.
  func awaitsUser(_ slot: Int32) -> Bool { !isOnScreen }

  private static func unique(_ children: [Child]) -> [Child] {
    var seen: Set<Child> = []
    let unique = children.filter { seen.insert($0).inserted }
    assert(
      unique.count == children.count,
      "`children(for:)` names a child more than once. Name each child once, lowest first.")
    return unique
  }
}

// MARK: Steps

extension ContainerStage {
  /// Runs a body as a step, or as part of the current step, and then the steps that are waiting.
  func step<Result>(_ body: () -> Result) -> Result {
    if isInStep { return body() }
    isInStep = true
    let result = body()
    while !waitingSteps.isEmpty { waitingSteps.removeFirst()() }
    isInStep = false
    return result
  }

  /// Runs a body now, or after the current step.
  func laterStep(_ body: @escaping () -> Void) {
    if isInStep {
      waitingSteps.append(body)
    } else {
      step(body)
    }
  }
}

// MARK: The move

extension ContainerStage {
  private func begin(
    _ visit: Visit, from previous: State?, to listed: [Child], _ animated: Bool, _ host: Host
  ) {
    let appearing = listed.filter { children.appearance(of: $0) == nil }
    let disappearing = removable(of: children.all.filter { !listed.contains($0) }, animated)
    for step in children.arrange(listed) {
      switch step {
      case .add(let child, let index): host.add(child, at: index)
      case .move(let child, let index): host.move(child, to: index)
      }
    }
    let isNew = Set(appearing)
    for child in listed {
      tell(child, .appearing, animated: isNew.contains(child) ? animated : appearsAnimated)
    }
    move = ContainerMove(
      visit: visit, previous: previous, animated: animated, appearing: appearing,
      disappearing: disappearing)
    animate(host)
    finishIfOver()
  }

  /// Lets visible children disappear, and removes hidden ones at once.
  ///
  /// - Returns: the visible children.
  private func removable(of disappearing: [Child], _ animated: Bool) -> [Child] {
    disappearing.filter { child in
      host?.willRemove(child)
      if children.appearance(of: child) == .hidden {
        takeOut(child)
        return false
      }
      tell(child, .disappearing, animated: animated)
      return true
    }
  }

  private func animate(_ host: Host) {
    guard let move, move.animated, !(move.appearing.isEmpty && move.disappearing.isEmpty) else {
      self.move?.isAnimationOver = true
      return
    }
    let number = move.visit.number
    self.move?.animation = host.animate(
      appearing: move.appearing, disappearing: move.disappearing
    ) { [weak self] _ in
      // An interrupted animation is over as well.
      self?.laterStep { self?.animationEnded(of: number) }
    }
  }

  private func animationEnded(of visit: VisitNumber) {
    guard move?.visit.number == visit else { return }
    move?.isAnimationOver = true
    finishIfOver()
  }

  /// Ends the move when its animation is over and the container itself has appeared.
  func finishIfOver() {
    guard let move, move.isAnimationOver, appearance == .shown else { return }
    finish(move, areChildrenShown: true)
  }

  /// Ends the move.
  ///
  /// - Parameter areChildrenShown: whether the appearing children have appeared. They have not if
  ///   the container itself never appeared.
  func finish(_ move: ContainerMove<State, Child>, areChildrenShown: Bool) {
    self.move = nil
    for child in move.disappearing {
      tell(child, .hidden, animated: move.animated)
      takeOut(child)
    }
    if areChildrenShown {
      for child in children.all { tell(child, .shown, animated: move.animated) }
    }
    host?.didTransition(from: move.previous, animated: move.animated)
    move.visit.entered()
  }

  private func takeOut(_ child: Child) {
    children.remove(child)
    host?.remove(child)
  }

  /// Makes an appearance call for a child, if the call fits the child's appearance.
  func tell(
    _ child: Child, _ appearance: ContainerChildren<Child>.Appearance, animated: Bool
  ) {
    guard children.change(child, to: appearance), let host else { return }
    switch appearance {
    case .appearing: host.childWillAppear(child, animated: animated)
    case .shown: host.childDidAppear(child, animated: animated)
    case .disappearing: host.childWillDisappear(child, animated: animated)
    case .hidden: host.childDidDisappear(child, animated: animated)
    }
  }
}
