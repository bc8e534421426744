/// Performs a driver's commands on the children of a container.
///
/// A state of a container is out as soon as it is told to leave, and the whole move, with those
/// who go and those who come, belongs to the one that comes in. While the container is off screen
/// a state that is told to leave stays until the container appears again; what waits behind it
/// meanwhile is the policy's business.
///
/// Order: whatever sets something off from outside is one step, and steps do not run inside each
/// other. While children are told something a visit is coming in, or the container is off screen:
/// in either case the policy lets a request wait. So no list of children changes while it is
/// being told.
final class ContainerStage<State, Child: Hashable>: StagePerformer {
  typealias Host = any ContainerHost<State, Child>

  /// A state that was asked for.
  struct Place {
    let state: State
    let animated: Bool
  }

  weak var host: Host?
  weak var driver: TransitionDriver?
  private(set) var current: State?
  var move: ContainerMove<State, Child>?
  var children = ContainerChildren<Child>()
  /// How far the container itself has appeared.
  var appearance = ContainerChildren<Child>.Appearance.hidden
  var appearsAnimated = false
  /// A state that was told to leave while the container was off screen.
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
  /// Does something now, or as part of the step in hand, and then the steps that came up.
  func step<Result>(_ body: () -> Result) -> Result {
    if isInStep { return body() }
    isInStep = true
    let result = body()
    while !waitingSteps.isEmpty { waitingSteps.removeFirst()() }
    isInStep = false
    return result
  }

  /// Does something now, or after the step in hand.
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
    let arriving = listed.filter { children.appearance(of: $0) == nil }
    let leaving = takeLeave(of: children.all.filter { !listed.contains($0) }, animated)
    for step in children.arrange(listed) {
      switch step {
      case .add(let child, let index): host.add(child, at: index)
      case .move(let child, let index): host.move(child, to: index)
      }
    }
    let isNew = Set(arriving)
    for child in listed {
      tell(child, .appearing, animated: isNew.contains(child) ? animated : appearsAnimated)
    }
    move = ContainerMove(
      visit: visit, previous: previous, animated: animated, arriving: arriving, leaving: leaving)
    animate(host)
    finishIfOver()
  }

  /// Lets those who go disappear; those who cannot be seen are taken out at once.
  ///
  /// - Returns: those who are seen going.
  private func takeLeave(of leaving: [Child], _ animated: Bool) -> [Child] {
    leaving.filter { child in
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
    guard let move, move.animated, !(move.arriving.isEmpty && move.leaving.isEmpty) else {
      self.move?.isAnimationOver = true
      return
    }
    let number = move.visit.number
    self.move?.animation = host.animate(
      appearing: move.arriving, disappearing: move.leaving
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
  /// - Parameter areChildrenShown: whether those who appear have appeared by it; not if the
  ///   container itself never did.
  func finish(_ move: ContainerMove<State, Child>, areChildrenShown: Bool) {
    self.move = nil
    for child in move.leaving {
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

  /// Tells a child how far it is, unless it knows.
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
