/// A policy that shows one visit at a time and keeps the others in a line.
///
/// It makes these promises for every line:
/// - A visit enters only after the visit before it has exited.
/// - A visit is told to exit only after it has entered, and only if a request is pending or the
///   visit was cancelled. A deadline with ``DeadlineRecovery/skip`` is the exception.
/// - When a state exits by itself, the next visit can enter at once.
/// - Every visit that does not enter is discarded.
public struct StagedPolicy<Line: WaitingLine>: TransitionPolicy {
  private(set) var stage = Stage()
  private(set) var line = Line()

  /// Creates the policy without any visit.
  public init() {}

  public static var name: StateName { Line.name }
  public static var discipline: Discipline { Line.discipline }

  public var current: Request? { stage.current }
  public var phase: Phase { stage.phase }

  public func predecessor(of request: Request) -> Request? {
    line.predecessor(of: request) ?? stage.current
  }

  // Specialised for the lines of this module. Otherwise each step would go through a witness table.
  @specialized(where Line == QueueLine)
  @specialized(where Line == LatestLine)
  @specialized(where Line == RejectLine)
  @specialized(where Line == PriorityLine)
  @specialized(where Line == CoalesceLine)
  public mutating func receive(_ signal: Signal, _ commands: inout CommandQueue) -> Fit {
    switch signal {
    case .requested(let request): admit(request, &commands)
    case .entered(let visit): return entered(visit, &commands)
    case .exited(let visit): return exited(visit, &commands)
    case .cancelled(.visit(let visit)): cancel(visit, &commands)
    case .cancelled(.all): cancelAll(&commands)
    case .cancelled(.tearDown): tearDown(&commands)
    case .deadline(let visit, let awaited, let recovery):
      recover(visit, awaited, recovery, &commands)
    case .resumed:
      stage.isWithholding = false
      proceed(&commands)
    }
    return .fits
  }
}

extension StagedPolicy {
  private mutating func admit(_ request: Request, _ commands: inout CommandQueue) {
    if let objection = request.objection {
      commands.append(.discard(request.visit, .rejected(.objection(objection))))
      return
    }
    if stage.isTornDown {
      commands.append(.discard(request.visit, .tornDown))
      return
    }
    switch line.admit(request, behind: stage) {
    case .waits: break
    case .replaces(let older): commands.append(.discard(older, .replaced))
    case .refused(let reason): commands.append(.discard(request.visit, reason))
    }
    proceed(&commands)
  }

  /// Lets the next visit enter if the stage is free.
  ///
  /// Otherwise tells the current visit to exit.
  private mutating func proceed(_ commands: inout CommandQueue) {
    if line.isEmpty { return }
    if stage.isFree {
      if let next = line.next() { stage.enter(next, &commands) }
    } else if stage.phase == .entered {
      stage.tellToExit(&commands)
    }
  }

  private mutating func entered(_ visit: VisitNumber, _ commands: inout CommandQueue) -> Fit {
    guard stage.isOn(visit), stage.phase == .entering else { return .stray }
    stage.phase = .entered
    if stage.exitsOnceEntered { stage.tellToExit(&commands) }
    proceed(&commands)
    return .fits
  }

  private mutating func exited(_ visit: VisitNumber, _ commands: inout CommandQueue) -> Fit {
    guard stage.isOn(visit) else { return .stray }
    stage.clear()
    proceed(&commands)
    return .fits
  }

  private mutating func cancel(_ visit: VisitNumber, _ commands: inout CommandQueue) {
    if stage.isOn(visit) {
      stage.tellToExit(&commands)
    } else if line.remove(visit) != nil {
      commands.append(.discard(visit, .cancelled))
    }
  }

  private mutating func cancelAll(_ commands: inout CommandQueue) {
    while let waiting = line.next() { commands.append(.discard(waiting.visit, .cancelled)) }
    stage.tellToExit(&commands)
  }

  private mutating func tearDown(_ commands: inout CommandQueue) {
    if let current = stage.current, stage.isOn(current.visit) {
      commands.append(.discard(current.visit, .tornDown))
      stage.clear()
    }
    while let waiting = line.next() { commands.append(.discard(waiting.visit, .tornDown)) }
    stage.isTornDown = true
  }

  private mutating func recover(
    _ visit: VisitNumber, _ awaited: Completion, _ recovery: DeadlineRecovery,
    _ commands: inout CommandQueue
  ) {
    let isLate = stage.isOn(visit) && stage.phase == (awaited == .entered ? .entering : .exiting)
    guard isLate else { return }
    switch (recovery, awaited) {
    case (.report, _):
      break
    case (.force, .entered):
      _ = entered(visit, &commands)
    case (.skip, .entered):
      commands.append(.exit(visit))
      giveUp(visit, &commands)
    case (.force, .exited), (.skip, .exited):
      giveUp(visit, &commands)
    }
  }

  private mutating func giveUp(_ visit: VisitNumber, _ commands: inout CommandQueue) {
    commands.append(.discard(visit, .timedOut))
    stage.clear()
    proceed(&commands)
  }
}

extension StagedPolicy {
  public var snapshot: PolicySnapshot {
    var snapshot = PolicySnapshot()
    if let current = stage.current {
      snapshot.standing = [
        .init(
          request: current, phase: stage.phase, exitsOnceEntered: stage.exitsOnceEntered)
      ]
    }
    snapshot.waiting = line.requests
    snapshot.isWithholding = stage.isWithholding
    snapshot.isTornDown = stage.isTornDown
    return snapshot
  }

  public init(restoring snapshot: PolicySnapshot) {
    if let standing = snapshot.standing.last {
      stage.current = standing.request
      stage.phase = standing.phase
      stage.exitsOnceEntered = standing.exitsOnceEntered
    }
    stage.isWithholding = snapshot.isWithholding
    stage.isTornDown = snapshot.isTornDown
    for request in snapshot.waiting { line.restore(request) }
  }
}
