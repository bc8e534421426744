import Staty
import StatyHistory

// What each kind of event changes.
extension ControllerModel {
  /// Takes in an event, and gives what was known just before.
  mutating func take(
    _ row: EventRow, _ kind: EventKind, origin: UInt32, priority: Int32, isAnew: Bool = false,
    cause: RecentEvents.Event
  ) -> Moment {
    var moment = Moment(row: row, discipline: discipline, fidelity: fidelity)
    moment.cause = cause
    hasBegun = true
    if fidelity == .full { noteInput(kind, &moment) }
    var slot = row.visit == 0 ? -1 : open.slot(of: row.visit)
    if slot >= 0, open[slot].past.contains(.seenLeaving), kind == .entering || kind == .entered {
      // It had not been in, then.
      open.remove(slot)
      forget(row.visit)
      slot = -1
    }
    if slot < 0, isSeenAgain(row.visit, kind) { slot = seeAgain(row, kind) }
    if slot >= 0 {
      moment.subject = .open
      if open[slot].state == 0 { open[slot].state = row.state }
      moment.visit = open[slot]
    } else if row.visit != 0, row.visit <= lastVisit {
      moment.past = gone[row.visit]
      if moment.past.map({ !$0.contains(.judged) }) ?? (row.visit > unknownThrough) {
        moment.subject = .gone
      }
    }
    let wasMoving = movingCount > 0
    switch kind {
    case .enqueued: request(row, slot, origin, priority, isAnew, &moment)
    case .entering: come(row, slot, .entering, &moment)
    case .entered: arrive(row, slot, &moment)
    case .exiting: dismiss(row, slot)
    case .exited: end(slot, row.visit, .exited)
    case .discarded: end(slot, row.visit, .discarded)
    case .deadline: passDeadline(row, slot)
    case .cancelled:
      if row.reason == EventReason.cancelledTearDown.code { isTornDown = true }
    case .resumed:
      isWithholding = false
      stageFree = .init(seq: row.seq, time: row.time)
    case .attached: date(row)
    case .detached:
      detached = row.time
      // An app may have had very many controllers.
      gone = GoneVisits()
    case .stray:
      if slot >= 0, row.reason == EventReason.strayEntered.code { open[slot].past.insert(.saidIn) }
    case .mark, .lost, .calling: break
    }
    if wasMoving, movingCount == 0 { stageFree = .init(seq: row.seq, time: row.time) }
    return moment
  }

  private mutating func request(
    _ row: EventRow, _ slot: Int32, _ origin: UInt32, _ priority: Int32, _ isAnew: Bool,
    _ moment: inout Moment
  ) {
    if origin != 0, origin <= lastVisit, open.slot(of: origin) < 0,
      gone[origin] != nil || origin > unknownThrough
    {
      moment.goneOrigin = origin
    }
    guard slot < 0, row.visit != 0 else { return }
    if row.visit <= lastVisit {
      // A number that was given before: nothing that is said of it is certain.
      return forget(row.visit)
    }
    // Those in between were asked for unseen.
    if lostRequests || row.visit > lastVisit + 1 { unknownThrough = row.visit - 1 }
    lostRequests = false
    lastVisit = row.visit
    var record = VisitRecord()
    record.visit = row.visit
    record.state = row.state
    record.priority = priority
    record.asked = .init(seq: row.seq, time: row.time)
    if isAnew { record.past.insert(.askedAnew) }
    _ = open.insert(record)
  }

  private mutating func come(
    _ row: EventRow, _ slot: Int32, _ phase: VisitRecord.Phase, _ moment: inout Moment
  ) {
    // What was shown may have been taken away: then it is as at the beginning.
    let from = slot >= 0 && open[slot].past.contains(.askedAnew) ? 0 : shown
    if moves != nil, from >= 0, moves!.isUndeclared(from: from, to: row.state) {
      moment.undeclaredFrom = from
    }
    shown = row.state
    isWithholding = false
    guard slot >= 0 else { return comeUncertain(row.visit) }
    noteOthers(slot, &moment)
    guard !open[slot].isOnStage else { return }
    overtake(slot, row)
    open.bringIn(slot, phase)
    open[slot].past.insert(phase == .entered ? [.toldToEnter, .wasIn] : .toldToEnter)
    open[slot].past.remove(.toldToLeave)
    open[slot].told = .init(seq: row.seq, time: row.time)
    if phase == .entering { movingCount += 1 }
    isStageKnown = true
  }

  private mutating func arrive(_ row: EventRow, _ slot: Int32, _ moment: inout Moment) {
    guard slot >= 0 else { return comeUncertain(row.visit) }
    switch open[slot].phase {
    case .waiting: come(row, slot, .entered, &moment)
    case .entering:
      open[slot].past.insert(.wasIn)
      let leaves = open[slot].past.contains(.toldToLeave)
      open[slot].phase = leaves ? .exiting : .entered
      if !leaves { movingCount -= 1 }
    case .entered, .exiting: break
    }
  }

  private mutating func dismiss(_ row: EventRow, _ slot: Int32) {
    guard slot >= 0 else {
      if row.visit > lastVisit || row.visit <= unknownThrough { comeUncertain(row.visit) }
      return
    }
    if open[slot].past.contains(.toldToLeave) { return }
    open[slot].past.insert(.toldToLeave)
    open[slot].dismissed = .init(seq: row.seq, time: row.time)
    if open[slot].phase == .entered {
      open[slot].phase = .exiting
      movingCount += 1
    }
  }

  private mutating func end(_ slot: Int32, _ visit: UInt32, _ how: VisitPast) {
    guard slot >= 0 else {
      // It was out of sight, and is over.
      if isOutOfSight(visit) {
        lastVisit = max(lastVisit, visit)
        unknownThrough = max(unknownThrough, visit)
        gone[visit] = how
      }
      return
    }
    let record = open[slot]
    if record.isMoving { movingCount -= 1 }
    gone[record.visit] = record.past.union(how)
    open.remove(slot)
  }

  private mutating func passDeadline(_ row: EventRow, _ slot: Int32) {
    guard slot >= 0, open[slot].phase == .entering else { return }
    if row.reason == EventReason.enteringSkip.code {
      open[slot].past.insert(.skipped)
    } else if row.reason == EventReason.enteringForce.code {
      // The controller goes on as if it had come in.
      open[slot].past.insert(.wasIn)
      open[slot].phase = .entered
      movingCount -= 1
    }
  }
}

// MARK: What is not certain

extension ControllerModel {
  /// Whether an event of a visit that was out of sight, because events were lost, shows where it is.
  ///
  /// Who is told to come in is taken not to have been on the stage before, and who is told to leave to
  /// have been in. That it says it is in shows nothing: what was told to it since is not known.
  func isSeenAgain(_ visit: UInt32, _ kind: EventKind) -> Bool {
    guard isOutOfSight(visit) else { return false }
    return switch kind {
    case .entering, .exiting: true
    case .entered: fidelity == .threeKind
    default: false
    }
  }

  /// Whether a visit may be anywhere, because what became of it was lost.
  private func isOutOfSight(_ visit: UInt32) -> Bool {
    // Of those that were seen to end since, some may not be remembered.
    visit != 0 && visit <= unknownThrough && gone[visit] == nil && !gone.hasForgotten
      || lostRequests && visit > lastVisit
  }

  /// Takes a visit for open from now on, as it was before this event.
  private mutating func seeAgain(_ row: EventRow, _ kind: EventKind) -> Int32 {
    if row.visit > lastVisit {
      lastVisit = row.visit
      unknownThrough = row.visit
    }
    var record = VisitRecord()
    record.visit = row.visit
    record.state = row.state
    if kind == .exiting {
      record.phase = .entered
      record.past = [.toldToEnter, .wasIn, .seenLeaving]
    }
    return open.insert(record)
  }

  /// A visit that is not open does something on the stage: who is there is not known from now on.
  private mutating func comeUncertain(_ visit: UInt32) {
    isStageKnown = false
    if visit != 0 { forget(visit) }
  }

  /// From now on nothing is said of a visit that is not open.
  private mutating func forget(_ visit: UInt32) {
    if visit > lastVisit {
      lastVisit = visit
      unknownThrough = visit
    } else if visit > unknownThrough || gone[visit] != nil {
      gone[visit] = (gone[visit] ?? []).union(.judged)
    }
  }
}
