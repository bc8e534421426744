/// Every request enters at once, while the visit before it is told to exit.
///
/// Promise: every request enters when it is made, in order. The visit before it is told to exit
/// first, or as soon as it has entered. So two visits can be visible at once. Use this policy for
/// cross-fades and overlapping toasts. Before there is a target, only the newest request is
/// pending.
public struct ImmediatePolicy: TransitionPolicy {
  /// The newest visit is the last; the others are exiting, or will exit when they have entered.
  private var standing: [PolicySnapshot.Standing] = []
  private var held: Request?
  private var isWithholding = false
  private var isTornDown = false

  /// Creates the policy without any visit.
  public init() {}

  public static var name: StateName { "immediate" }
  public static var discipline: Discipline { .atOnce }

  public var current: Request? { standing.last?.request }
  public var phase: Phase { standing.last?.phase ?? .empty }
  public func predecessor(of request: Request) -> Request? { current }

  public mutating func receive(_ signal: Signal, _ commands: inout CommandQueue) -> Fit {
    switch signal {
    case .requested(let request): admit(request, &commands)
    case .entered(let visit): return entered(visit, &commands)
    case .exited(let visit): return exited(visit)
    case .cancelled(.visit(let visit)): cancel(visit, &commands)
    case .cancelled(.all): cancelAll(&commands)
    case .cancelled(.tearDown): tearDown(&commands)
    case .deadline(let visit, let awaited, let recovery):
      recover(visit, awaited, recovery, &commands)
    case .resumed:
      isWithholding = false
      if let request = held.take() { enter(request, &commands) }
    }
    return .fits
  }
}

extension ImmediatePolicy {
  private mutating func admit(_ request: Request, _ commands: inout CommandQueue) {
    if let objection = request.objection {
      commands.append(.discard(request.visit, .rejected(.objection(objection))))
    } else if isTornDown {
      commands.append(.discard(request.visit, .tornDown))
    } else if isWithholding {
      if let older = held { commands.append(.discard(older.visit, .replaced)) }
      held = request
    } else {
      enter(request, &commands)
    }
  }

  private mutating func enter(_ request: Request, _ commands: inout CommandQueue) {
    if let last = standing.indices.last {
      if standing[last].phase == .exited {
        standing.removeLast()
      } else {
        tellToExit(last, &commands)
      }
    }
    standing.append(.init(request: request, phase: .entering))
    commands.append(.enter(request))
  }

  private mutating func tellToExit(_ place: Int, _ commands: inout CommandQueue) {
    switch standing[place].phase {
    case .entering: standing[place].exitsOnceEntered = true
    case .entered:
      standing[place].phase = .exiting
      standing[place].exitsOnceEntered = false
      commands.append(.exit(standing[place].request.visit))
    case .empty, .exiting, .exited: break
    }
  }

  private mutating func entered(_ visit: VisitNumber, _ commands: inout CommandQueue) -> Fit {
    guard let place = place(of: visit), standing[place].phase == .entering else { return .stray }
    standing[place].phase = .entered
    if standing[place].exitsOnceEntered { tellToExit(place, &commands) }
    return .fits
  }

  private mutating func exited(_ visit: VisitNumber) -> Fit {
    guard let place = place(of: visit) else { return .stray }
    clear(place)
    return .fits
  }

  /// Removes a visit from the stage.
  ///
  /// The newest stays available as the last one.
  private mutating func clear(_ place: Int) {
    if place == standing.count - 1 {
      standing[place].phase = .exited
      standing[place].exitsOnceEntered = false
    } else {
      standing.remove(at: place)
    }
  }

  private mutating func cancel(_ visit: VisitNumber, _ commands: inout CommandQueue) {
    if held?.visit == visit {
      held = nil
      commands.append(.discard(visit, .cancelled))
    } else if let place = place(of: visit) {
      tellToExit(place, &commands)
    }
  }

  private mutating func cancelAll(_ commands: inout CommandQueue) {
    if let waiting = held.take() { commands.append(.discard(waiting.visit, .cancelled)) }
    for place in standing.indices { tellToExit(place, &commands) }
  }

  private mutating func tearDown(_ commands: inout CommandQueue) {
    for one in standing where one.phase != .exited {
      commands.append(.discard(one.request.visit, .tornDown))
    }
    if let waiting = held.take() { commands.append(.discard(waiting.visit, .tornDown)) }
    standing.removeSubrange(..<max(0, standing.count - 1))
    if let last = standing.indices.last { clear(last) }
    isTornDown = true
  }

  private mutating func recover(
    _ visit: VisitNumber, _ awaited: Completion, _ recovery: DeadlineRecovery,
    _ commands: inout CommandQueue
  ) {
    guard let place = place(of: visit),
      standing[place].phase == (awaited == .entered ? .entering : .exiting)
    else { return }
    switch (recovery, awaited) {
    case (.report, _):
      break
    case (.force, .entered):
      _ = entered(visit, &commands)
    case (.skip, .entered):
      commands.append(.exit(visit))
      giveUp(place, &commands)
    case (.force, .exited), (.skip, .exited):
      giveUp(place, &commands)
    }
  }

  private mutating func giveUp(_ place: Int, _ commands: inout CommandQueue) {
    commands.append(.discard(standing[place].request.visit, .timedOut))
    clear(place)
  }

  private func place(of visit: VisitNumber) -> Int? {
    standing.lastIndex { $0.request.visit == visit && $0.phase != .exited }
  }
}

extension ImmediatePolicy {
  public var snapshot: PolicySnapshot {
    var snapshot = PolicySnapshot()
    snapshot.standing = standing
    snapshot.waiting = held.map { [$0] } ?? []
    snapshot.isWithholding = isWithholding
    snapshot.isTornDown = isTornDown
    return snapshot
  }

  public init(restoring snapshot: PolicySnapshot) {
    standing = snapshot.standing
    held = snapshot.waiting.last
    isWithholding = snapshot.isWithholding
    isTornDown = snapshot.isTornDown
  }
}

extension TransitionPolicy where Self == ImmediatePolicy {
  /// Every request enters at once, while the visit before it is told to exit.
  public static var immediate: ImmediatePolicy { ImmediatePolicy() }
}
