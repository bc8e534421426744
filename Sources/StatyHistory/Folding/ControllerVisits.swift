import Staty

/// The visits of one controller as its events tell them: which wait, which are on the stage, and
/// the phase of each.
///
/// It follows what was told and reported, and decides nothing. A visit with an unknown beginning is
/// unsure, and so is every visit that was open when events were lost. An unsure visit is followed
/// for its row, but no conclusion is drawn from it until an event shows its phase again.
struct ControllerVisits: Sendable {
  let id: Int32
  /// Of a track: its name.
  let trackName: String?
  let discipline: Discipline
  let fidelity: Fidelity
  /// Whether its fidelity is known; salvage assumes the lowest if it is not.
  let isVerified: Bool
  /// Its place in the fold.
  let place: Int

  private(set) var open = OpenVisits()
  /// Visits that ended since the last loss.
  private var gone = EndedVisits()
  /// Visits that had ended before the last loss.
  private var goneBefore = EndedVisits()
  /// The highest visit number seen.
  private(set) var lastVisit: UInt32
  /// Visits up to this one that are not open are unknown.
  private var unknownThrough: UInt32 = 0
  /// Whether the numbers before the next request's may belong to lost requests.
  private var lostRequests = false
  private(set) var isStageKnown = true
  private(set) var isWithholding: Bool
  private(set) var isTornDown: Bool
  /// How many visits on the stage are entering or exiting.
  private var movingCount = 0
  private(set) var stageFree = OpenVisit.Point()
  /// The state that was shown last; 0 for none yet, -1 if it is not known.
  private var shown: Int32 = 0
  /// The visit that entered last, of those that had not entered before.
  private var newest = Newest()
  /// The last visit that was pushed, and the message in whose handling it was.
  private var lastPush: (visit: UInt32, inside: Int64) = (0, 0)
  /// All waiting visits up to this one know which visits entered before them.
  private var overtakenThrough: UInt32 = 0
  /// The time at which recording of the controller ended, if it has.
  private(set) var detached: Int64?
  /// Whether its recording continues in the next session.
  private(set) var continues = false
  /// Whether recording ended while nothing was under way.
  private var hasEndedAtRest = false
  /// Whether it acted without an input, or in a deferred step.
  private var actsByItself = false
  /// Whether a visit has exited that was not told to, and whether one was told to while another waited.
  private var (hasExitedByItself, hasMadeRoom) = (false, false)
  /// How long a visit was shown at most before a deferred step told it to exit, and others waited.
  private var hold: Int64 = 0
  /// How long the stage was free at most before a deferred step let a visit enter that waited.
  private var pause: Int64 = 0
  /// Since when the stage was free before the last deferred step.
  private var freeBeforeStep = OpenVisit.Point()
  /// Whether visits may exit by themselves, if that is known from elsewhere.
  var exitsByThemselves: Bool?
  /// The last deferred step, and the event in which it was decided on.
  private var lastStep = (seq: Int64(0), decided: Int64(0))
  private var routes: DeclaredRoutes?
  private let mirrors: [TrackMirror]
  private var transient: NamedStates?
  /// Of a track with a mirror: the name of an optional that holds nothing.
  private var nothing: NamedStates?
  private(set) var answers = MessageAnswers()
  /// The hash of what a track shows; 0 if that is not known.
  private var fingerprint = Fingerprint.none
  /// Its first event; `nil` before it.
  private(set) var first: EventRow?
  /// Whether it had any event.
  var hasBegun: Bool { first != nil }
  /// How many gaps of the session it has taken into account.
  var gaps = 0

  private struct Newest {
    var visit: UInt32 = 0
    /// 0 for none yet, -1 if it is not known.
    var state: Int32 = 0
    var dismissed: Int64?
    var gone: Int64?
  }

  /// The most unsure visits that are followed.
  private static let mostUnsure = 256

  init(_ opening: ControllerOpening, place: Int) {
    self.place = place
    id = opening.id
    trackName = opening.trackName
    discipline = opening.discipline
    fidelity = opening.fidelity
    isVerified = opening.isVerified
    isWithholding = opening.isWithholding
    isTornDown = opening.isTornDown
    lastVisit = opening.lastVisit
    mirrors = opening.mirrors
    nothing = opening.mirrors.isEmpty ? nil : NamedStates(["none"])
    // What a track shows is known only if an event says so.
    if opening.isLate || discipline == .moves { shown = -1 }
    declare(opening)
    if !opening.isKnown { forgetAll() }
  }

  /// Sets its routes and the states that it leaves again.
  mutating func declare(_ opening: ControllerOpening) {
    routes = opening.routes.map(DeclaredRoutes.init)
    transient = opening.transient.isEmpty ? nil : NamedStates(opening.transient)
  }

  var needsNames: Bool { routes != nil || transient != nil || nothing != nil }

  mutating func learn(_ names: [Int32: String]) {
    routes?.learn(names)
    transient?.learn(names)
    nothing?.learn(names)
  }

  /// Whether a state should have been left again.
  func isTransient(_ state: Int32) -> Bool { transient?.contains(state) ?? false }

  var isStageBusy: Bool { movingCount > 0 }

  /// Whether every visit and its phase are known.
  var isCertain: Bool {
    isStageKnown && unknownThrough == 0 && !lostRequests && open.unsure.count == 0
  }
  /// Whether its visits exit by themselves, as alerts do, and it makes no room for those that wait.
  var waitsForExits: Bool { (exitsByThemselves ?? hasExitedByItself) && !hasMadeRoom }
  /// Whether a visit may still be shown for its time: a timer has told others to exit, and may be late.
  func isHeld(since time: Int64, at now: Int64) -> Bool { now &- time < hold &+ hold / 4 }
  /// Whether a deferred step may still let a visit enter that waits for so long.
  func mayPause(since time: Int64, at now: Int64) -> Bool { now &- time < pause &+ pause / 4 }
  /// Whether it is known that it does nothing more.
  var isSettled: Bool { hasEndedAtRest && !actsByItself }

  /// The visit that was shown last and has exited, if none followed it.
  var lastShown: (visit: UInt32, state: Int32)? {
    newest.visit != 0 && newest.gone != nil ? (newest.visit, newest.state) : nil
  }

  /// How much it holds, counted in visits: the memory of ended ones equals that of a few.
  var weight: Int { open.size + (hasBegun ? 6 : 1) }
}

// MARK: Events

extension ControllerVisits {
  /// Takes an event, and says what was known just before it.
  mutating func take(
    _ row: EventRow, _ kind: EventKind, _ detail: FoldedDetail, hasLost: Bool,
    _ change: inout VisitChange, _ rows: inout ChangedVisits
  ) {
    change.begin(row, self, hasLost: hasLost)
    if !hasBegun {
      first = row
      change.mirrors = mirrors
      // Events say which visits were open. If those events are missing, others may be, too.
      if lastVisit > 0, kind != .attached, kind != .stood { forgetAll() }
    }
    if let nothing { change.isNothing = nothing.contains(row.state) }
    let wasMoving = movingCount > 0
    if kind == .entering || kind == .entered { resume(&rows) }
    let slot = find(row, kind, &change, &rows)
    switch kind {
    case .enqueued: request(row, slot, detail, &change, &rows)
    case .entering:
      if slot >= 0, row.cause != 0, row.cause == lastStep.seq {
        pause = max(pause, row.time &- max(open[slot].asked.time, freeBeforeStep.time))
      }
      come(row, slot, .entering, &change)
    case .entered: arrive(row, slot, &change)
    case .exiting:
      if slot >= 0, detail.awaitsUser { open[slot].past.insert(.awaitsUser) }
      dismiss(row, slot, &change)
    case .exited: end(row, slot, .exited, &change, &rows)
    case .discarded: end(row, slot, .discarded, &change, &rows)
    case .deadline: passDeadline(row, slot)
    case .stood: stand(row, detail, &change, &rows)
    case .cancelled:
      cancel(row, slot)
      if row.reason == EventReason.cancelledTearDown.code {
        isTornDown = true
        markAll(&rows)
      }
    case .resumed:
      lastStep = (row.seq, decision(row))
      actsByItself = actsByItself || row.cause != 0
      resume(&rows)
      (freeBeforeStep, stageFree) = (stageFree, .init(row))
    case .attached: stageFree = .init(row)
    case .detached:
      detach(row, &rows)
      if continues { change.remarks += answers.takeWaiting() }
      answers.end()
      routes = nil
    case .stray:
      if slot >= 0, row.strayCompletion == .entered {
        open[slot].past.insert(.reportedEntered)
      }
    case .moved:
      let shown = newest.visit
      move(row, slot, detail.instance, &change, &rows)
      let move = move(within: newest.visit == shown, detail.fingerprint)
      answers.move(row, move, &change.remarks)
    case .received:
      answers.take(
        row, part: detail.part, isPassedOn: detail.isPassedOn, &change.remarks)
    case .sent: answers.send(row)
    case .mark, .lost, .calling: break
    }
    if rows.isKept, slot >= 0, kind != .exited, kind != .discarded, kind != .moved {
      mark(slot, &rows)
    }
    if kind.side == .output, kind != .moved, row.cause == 0 { actsByItself = true }
    if wasMoving, movingCount == 0 { stageFree = .init(row) }
  }

  /// What a move has changed.
  ///
  /// - Parameter isWithin: whether the state has kept its name.
  private mutating func move(within isWithin: Bool, _ now: UInt32) -> MessageAnswers.Move {
    let before = fingerprint
    if now != Fingerprint.same { fingerprint = now }
    if !isWithin { return .changedName }
    switch now {
    case Fingerprint.none: return .phase
    case Fingerprint.same: return .same
    case _ where now <= Fingerprint.unknown || before <= Fingerprint.unknown: return .unknown
    default: return now == before ? .same : .changed
    }
  }

  /// The event in which the event's decision was made; 0 if that is not known.
  private func decision(_ row: EventRow) -> Int64 {
    row.cause != 0 && row.cause == lastStep.seq ? lastStep.decided : row.cause
  }

  /// The slot of the event's visit, if it is open and its phase is known; otherwise -1.
  private mutating func find(
    _ row: EventRow, _ kind: EventKind, _ change: inout VisitChange, _ rows: inout ChangedVisits
  ) -> Int32 {
    guard row.visit != 0 else { return -1 }
    let found = open.slot(of: row.visit)
    var slot = found >= 0 && !open[found].isUnsure ? found : -1
    if slot >= 0, open[slot].past.contains(.seenExiting),
      kind == .entering || kind == .entered || kind == .deadline && Self.isStep(row, kind)
    {
      // So it had not entered.
      if open[slot].isMoving { movingCount -= 1 }
      doubt(slot)
      slot = -1
    }
    if slot < 0, isSeenAgain(row.visit, kind) {
      slot = seeAgain(row, kind, found, &change)
    } else if slot < 0, Self.isStep(row, kind) {
      note(row, kind, found, &change, &rows)
    }
    if slot >= 0 {
      change.subject = .open
      if open[slot].state == 0 { open[slot].state = row.state }
      change.visit = open[slot]
    } else if row.visit <= lastVisit {
      change.past = gone[row.visit]
      if change.past.map({ !$0.contains(.judged) }) ?? (row.visit > unknownThrough) {
        change.subject = .gone
      }
    }
    return slot
  }

  private mutating func request(
    _ row: EventRow, _ slot: Int32, _ detail: FoldedDetail, _ change: inout VisitChange,
    _ rows: inout ChangedVisits
  ) {
    let origin = detail.origin
    if origin != 0, origin <= lastVisit, !isSure(origin),
      gone[origin] != nil || origin > unknownThrough
    {
      change.goneOrigin = origin
    }
    guard slot < 0, row.visit != 0 else { return }
    // The number was used before, so nothing about it is certain.
    if row.visit <= lastVisit || goneBefore[row.visit] != nil { return forget(row.visit) }
    // The visits between were requested in lost events.
    if lostRequests || row.visit > lastVisit + 1 { unknownThrough = row.visit - 1 }
    lostRequests = false
    lastVisit = row.visit
    var visit = OpenVisit(row)
    visit.priority = detail.priority
    visit.asked = .init(row)
    if detail.isAnew { visit.past.insert(.askedAnew) }
    if detail.isPastRoutes { visit.past.insert(.pastRoutes) }
    if detail.awaitsUser { visit.past.insert(.awaitsUser) }
    mark(insert(visit, &change), &rows)
  }

  private mutating func come(
    _ row: EventRow, _ slot: Int32, _ phase: OpenVisit.Phase, _ change: inout VisitChange
  ) {
    // The shown state may have been taken away: then this is like the beginning.
    let from = slot >= 0 && open[slot].past.contains(.askedAnew) ? 0 : shown
    // What was shown before the controller was there is no transition.
    let isAdopted = from == 0 && slot >= 0 && open[slot].past.contains(.pastRoutes)
    if routes != nil, from >= 0, !isAdopted, routes!.isUndeclared(from: from, to: row.state) {
      change.undeclaredFrom = from
    }
    shown = row.state
    guard let slot = slot >= 0 ? slot : comeBack(row, &change) else {
      return comeUncertain(row.visit)
    }
    noteOther(slot, &change)
    guard !open[slot].isOnStage else { return }
    if discipline == .stack { noteBelow(nil, &change) }
    overtake(slot, row)
    if open[slot].told.seq == 0 { open[slot].told = .init(row) }
    if phase == .entered, open[slot].entered.seq == 0 { open[slot].entered = .init(row) }
    followNewest(slot, row)
    open.move(slot) {
      $0.phase = phase
      $0.past.insert(phase == .entered ? [.toldToEnter, .hasEntered] : .toldToEnter)
      $0.past.remove(.toldToExit)
    }
    if phase == .entering { movingCount += 1 }
    isStageKnown = true
  }

  private mutating func arrive(_ row: EventRow, _ slot: Int32, _ change: inout VisitChange) {
    guard slot >= 0 else {
      if fidelity == .threeKind { return come(row, slot, .entered, &change) }
      return comeUncertain(row.visit)
    }
    switch open[slot].phase {
    case .waiting: come(row, slot, .entered, &change)
    case .entering:
      open[slot].past.insert(.hasEntered)
      if open[slot].entered.seq == 0 { open[slot].entered = .init(row) }
      let exits = open[slot].past.contains(.toldToExit)
      open[slot].phase = exits ? .exiting : .entered
      if !exits { movingCount -= 1 }
    case .entered, .exiting:
      if open[slot].entered.seq == 0 { open[slot].entered = .init(row) }
    }
  }

  private mutating func dismiss(
    _ row: EventRow, _ slot: Int32, _ change: inout VisitChange
  ) {
    if row.visit == newest.visit, newest.dismissed == nil, newest.gone == nil {
      newest.dismissed = row.time
    }
    guard slot >= 0 else {
      if row.visit > lastVisit || row.visit <= unknownThrough { comeUncertain(row.visit) }
      return
    }
    if open[slot].past.contains(.toldToExit) { return }
    if open.waiting.count > 0 {
      hasMadeRoom = true
      // It was put off when the visit entered, and not because another one waits.
      if lastStep.seq != 0, row.cause == lastStep.seq, lastStep.decided != 0,
        lastStep.decided <= open[slot].entered.seq
      {
        hold = max(hold, row.time &- open[slot].entered.time)
      }
    }
    if discipline == .stack { noteAbove(slot, &change) }
    open[slot].past.insert([.toldToExit, .dismissed])
    open[slot].dismissed = .init(row)
    if open[slot].firstDismissed.seq == 0 { open[slot].firstDismissed = .init(row) }
    if open[slot].phase == .entered {
      open[slot].phase = .exiting
      movingCount += 1
    }
  }

  private mutating func end(
    _ row: EventRow, _ slot: Int32, _ how: VisitPast, _ change: inout VisitChange,
    _ rows: inout ChangedVisits
  ) {
    if row.visit == newest.visit, newest.gone == nil { newest.gone = row.time }
    guard slot >= 0 else {
      // Its phase was not known, and it is over.
      if isOutOfSight(row.visit) {
        lastVisit = max(lastVisit, row.visit)
        unknownThrough = max(unknownThrough, row.visit)
        gone[row.visit] = how
      } else {
        goneBefore[row.visit] = how
      }
      return
    }
    let visit = open[slot]
    if visit.isMoving { movingCount -= 1 }
    if how == .exited, visit.phase == .entered, !visit.past.contains(.toldToExit) {
      hasExitedByItself = true
    }
    if visit.isOnStage, movingCount == 0 { stageFree = .init(row) }
    gone[visit.visit] = visit.past.union(how)
    change.outcome = close(slot, row, &rows)
  }

  /// Notes that waiting visits do not enter any more.
  private mutating func cancel(_ row: EventRow, _ slot: Int32) {
    if row.reason == EventReason.cancelledVisit.code {
      if slot >= 0, !open[slot].isOnStage { open[slot].past.insert(.cancelled) }
    } else {
      for slot in open.slots(open.waiting) { open[slot].past.insert(.cancelled) }
    }
  }

  private mutating func passDeadline(_ row: EventRow, _ slot: Int32) {
    guard slot >= 0, open[slot].phase == .entering else { return }
    if row.reason == EventReason.enteringSkip.code {
      open[slot].past.insert(.skipped)
    } else if row.reason == EventReason.enteringForce.code {
      // The controller continues as if the visit had entered.
      open[slot].past.insert(.hasEntered)
      if open[slot].entered.seq == 0 { open[slot].entered = .init(row) }
      open[slot].phase = .entered
      movingCount -= 1
    }
  }

  /// Notes a visit that was open when recording began, or that was shown last.
  private mutating func stand(
    _ row: EventRow, _ detail: FoldedDetail, _ change: inout VisitChange,
    _ rows: inout ChangedVisits
  ) {
    guard row.visit != 0, open.slot(of: row.visit) < 0 else { return }
    lastVisit = max(lastVisit, row.visit)
    let now = OpenVisit.Point(seq: row.seq, time: row.time &- detail.age)
    var visit = OpenVisit(row)
    visit.priority = detail.priority
    visit.past.insert(.stood)
    // A later visit of the same element names this one.
    if discipline == .moves { visit.instance = row.visit }
    if detail.awaitsUser { visit.past.insert(.awaitsUser) }
    switch row.reason {
    case EventReason.stoodWaiting.code: visit.asked = now
    case EventReason.stoodEntering.code:
      visit.phase = .entering
      visit.past.insert([.toldToEnter, .came])
      visit.told = now
    case EventReason.stoodEntered.code:
      visit.phase = .entered
      visit.past.insert([.toldToEnter, .hasEntered, .came])
      (visit.told, visit.entered) = (now, now)
    case EventReason.stoodExiting.code:
      visit.phase = .exiting
      visit.past.insert([.toldToEnter, .hasEntered, .toldToExit, .dismissed, .came])
      (visit.told, visit.entered) = (now, now)
      (visit.dismissed, visit.firstDismissed) = (now, now)
    case EventReason.stoodExited.code:
      gone[row.visit] = .exited
      shown = row.state
      newest = Newest(visit: row.visit, state: row.state, dismissed: .min, gone: .min)
      return
    default: return
    }
    if visit.isOnStage {
      shown = row.state
      newest = Newest(visit: row.visit, state: row.state)
      // It was told to exit before.
      if visit.phase == .exiting { newest.dismissed = .min }
    }
    if visit.isMoving { movingCount += 1 }
    mark(insert(visit, &change), &rows)
  }

  /// Notes that a track's value changed.
  private mutating func move(
    _ row: EventRow, _ slot: Int32, _ instance: UInt32, _ change: inout VisitChange,
    _ rows: inout ChangedVisits
  ) {
    guard row.visit != 0 else { return }
    if row.reason == EventReason.movedPop.code {
      end(row, slot, .exited, &change, &rows)
      let top = open.standing.last
      shown = top < 0 ? 0 : open[top].state
      newest = top < 0 ? Newest() : Newest(visit: open[top].visit, state: shown)
      return
    }
    // The state has not changed.
    if slot >= 0, open[slot].isOnStage { return mark(slot, &rows) }
    if routes != nil, shown >= 0, routes!.isUndeclared(from: shown, to: row.state) {
      change.undeclaredFrom = shown
    }
    shown = row.state
    let first = instance == 0 ? row.visit : instance
    if row.reason == 0 {
      leaveTop(row, &change, &rows)
    } else {
      noteBelow(first, &change)
      lastPush = (row.visit, row.inside)
    }
    var slot = slot
    if slot < 0 {
      // The number was used before, so nothing about it is certain.
      if row.visit <= lastVisit { return forget(row.visit) }
      if lostRequests || row.visit > lastVisit + 1 { unknownThrough = row.visit - 1 }
      lostRequests = false
      lastVisit = row.visit
      slot = insert(OpenVisit(row), &change)
    }
    followNewest(slot, row)
    open.move(slot) {
      $0.phase = .entered
      $0.past.insert([.toldToEnter, .hasEntered])
      $0.instance = first
      if $0.entered.seq == 0 { ($0.told, $0.entered) = (.init(row), .init(row)) }
    }
    isStageKnown = true
    mark(slot, &rows)
  }

  /// Ends the visit that the track showed.
  private mutating func leaveTop(
    _ row: EventRow, _ change: inout VisitChange, _ rows: inout ChangedVisits
  ) {
    let top = open.standing.last
    guard top >= 0 else { return }
    let visit = open[top]
    change.left = visit.visit
    gone[visit.visit] = visit.past.union(.exited)
    close(top, row, &rows)
  }

  private mutating func resume(_ rows: inout ChangedVisits) {
    guard isWithholding else { return }
    isWithholding = false
    markAll(&rows)
  }

  private mutating func detach(_ row: EventRow, _ rows: inout ChangedVisits) {
    detached = row.time
    continues = row.reason == EventReason.continues.code
    hasEndedAtRest = row.cause == 0
    // An app may have had very many controllers.
    gone = EndedVisits()
    goneBefore = EndedVisits()
    markAll(&rows)
  }
}

// MARK: Neighbours

extension ControllerVisits {
  /// Notes which other visit is on the stage.
  private func noteOther(_ slot: Int32, _ change: inout VisitChange) {
    let count = open.standing.count - (open[slot].isOnStage ? 1 : 0)
    guard count > 0 else { return }
    let last = open.standing.last
    let other = last == slot ? open[last].previous : last
    change.other = open[other].visit
    change.otherState = open[other].state
  }

  /// Notes the visit on top, which another one comes to lie on.
  ///
  /// - Parameter first: the first visit of that one's element, if it is an element of a path.
  private func noteBelow(_ first: UInt32?, _ change: inout VisitChange) {
    guard open.standing.last >= 0 else { return }
    let top = open[open.standing.last]
    change.below = VisitBelow(
      visit: top.visit, state: top.state, isSame: top.instance == first,
      isEntering: top.phase == .entering,
      // What stood may have come at any time before.
      came: top.past.contains(.stood) ? .init(seq: 0, time: .min / 2) : top.told,
      inside: lastPush.visit == top.visit ? lastPush.inside : 0)
  }

  /// Notes which other visit lies over one on the stage and was not told to exit.
  private func noteAbove(_ slot: Int32, _ change: inout VisitChange) {
    guard open[slot].isOnStage else { return }
    var other = open.standing.last
    while other >= 0, other != slot, open[other].past.contains(.toldToExit) {
      other = open[other].previous
    }
    guard other >= 0, other != slot else { return }
    change.other = open[other].visit
    change.otherState = open[other].state
  }

  /// How many waiting visits are checked when one of them enters out of turn, by urgency.
  private static let mostOvertaken = 1_000

  /// Tells the waiting visits that were due earlier which visit entered before them.
  private mutating func overtake(_ slot: Int32, _ row: EventRow) {
    let jumper = open[slot]
    var slot = jumper.previous
    switch discipline {
    case .atOnce, .moves: return
    case .inOrder, .stack:
      while slot >= 0, open[slot].visit > overtakenThrough {
        open[slot].overtaken(by: jumper, row)
        slot = open[slot].previous
      }
      overtakenThrough = max(overtakenThrough, jumper.visit)
    case .byUrgency:
      var left = Self.mostOvertaken
      while slot >= 0, left > 0 {
        if open[slot].priority >= jumper.priority { open[slot].overtaken(by: jumper, row) }
        slot = open[slot].previous
        left -= 1
      }
      // Visits that were requested later count if they were requested before it was decided which
      // enters.
      let decided = decision(row)
      slot = jumper.next
      while slot >= 0, left > 0, decided != 0 {
        if open[slot].priority > jumper.priority, open[slot].asked.seq <= decided {
          open[slot].passedOver(by: jumper, row)
        }
        slot = open[slot].next
        left -= 1
      }
    }
  }

  /// Notes a visit that enters for the first time: its delay is measured from the visit before it.
  private mutating func followNewest(_ slot: Int32, _ row: EventRow) {
    // One that was over and entered again is in no row, so nothing counts from it.
    guard !open[slot].past.contains(.came), !open[slot].past.contains(.returned) else { return }
    open[slot].past.insert(.came)
    open[slot].from = newest.state
    let isAsked = open[slot].asked.seq != 0
    let (first, request) = (open[slot].first, open[slot].asked)
    let isSeen = request.seq != first.seq || request.time < first.time
    if isAsked, isSeen || !open[slot].past.contains(.stood) {
      let asked = open[slot].asked.time
      let hasOther = newest.visit != 0
      let turn = hasOther ? newest.dismissed ?? newest.gone ?? row.time : asked
      let free = hasOther ? newest.gone ?? row.time : asked
      open[slot].turn = max(asked, min(turn, row.time))
      open[slot].free = max(asked, min(max(turn, free), row.time))
    }
    newest = Newest(visit: open[slot].visit, state: open[slot].state)
    if open[slot].firstDismissed.seq != 0 { newest.dismissed = open[slot].firstDismissed.time }
  }
}

extension OpenVisit {
  fileprivate init(_ row: EventRow) {
    self.init()
    visit = row.visit
    state = row.state
    first = .init(row)
  }

  fileprivate mutating func overtaken(by other: OpenVisit, _ row: EventRow) {
    // A visit with an unknown phase is listed behind those that were requested after it.
    if jumper.seq == 0, other.visit > visit, !past.contains(.cancelled) {
      jumper = .init(seq: row.seq, visit: other.visit, state: other.state)
    }
  }

  fileprivate mutating func passedOver(by other: OpenVisit, _ row: EventRow) {
    if jumper.seq == 0, asked.seq != 0, !past.contains(.cancelled) {
      jumper = .init(seq: row.seq, visit: other.visit, state: other.state)
    }
  }
}

// MARK: What is not certain

extension ControllerVisits {
  /// Makes all open visits unsure: events are missing here.
  mutating func lose(_ rows: inout ChangedVisits) {
    guard detached == nil else { return }
    for slot in open.slots(open.standing) + open.slots(open.waiting) { doubt(slot) }
    for slot in open.slots(open.unsure) {
      open[slot].past.insert([.lost, .hasLost])
      mark(slot, &rows)
    }
    while open.unsure.count > Self.mostUnsure { close(open.unsure.first, nil, &rows) }
    goneBefore.take(gone)
    gone.removeAll()
    forgetAll()
  }

  private mutating func forgetAll() {
    answers = MessageAnswers()
    fingerprint = Fingerprint.none
    unknownThrough = lastVisit
    lostRequests = true
    isStageKnown = false
    movingCount = 0
    shown = -1
    newest = Newest(state: -1)
    overtakenThrough = 0
  }

  /// Makes a visit unsure: lost events may have changed its phase.
  private mutating func doubt(_ slot: Int32) {
    open.move(slot) { $0.past.insert(.unsure) }
  }

  /// Whether an event shows the phase of a visit that had become unknown because events were lost.
  ///
  /// A visit that is told to enter counts as not having been on the stage before, and one that is
  /// told to exit as having entered. A report that it has entered shows nothing: what it was told
  /// since is not known.
  private func isSeenAgain(_ visit: UInt32, _ kind: EventKind) -> Bool {
    guard isOutOfSight(visit) else { return false }
    return switch kind {
    case .entering, .exiting, .moved: true
    case .entered: fidelity == .threeKind
    default: false
    }
  }

  /// Whether a visit may have any phase, because its events were lost.
  private func isOutOfSight(_ visit: UInt32) -> Bool {
    // Some visits that ended since may be forgotten.
    visit != 0 && visit <= unknownThrough && gone[visit] == nil && !gone.hasForgotten
      && goneBefore[visit] == nil
      || lostRequests && visit > lastVisit
  }

  /// Whether a visit is open and its phase is known.
  private func isSure(_ visit: UInt32) -> Bool {
    let slot = open.slot(of: visit)
    return slot >= 0 && !open[slot].isUnsure
  }

  /// Treats a visit as open from now on, in the phase that it had before this event.
  private mutating func seeAgain(
    _ row: EventRow, _ kind: EventKind, _ found: Int32, _ change: inout VisitChange
  ) -> Int32 {
    if row.visit > lastVisit {
      lastVisit = row.visit
      unknownThrough = row.visit
    }
    let slot = found >= 0 ? found : insert(OpenVisit(row), &change)
    open.move(slot) { visit in
      visit.past.formIntersection([
        .came, .dismissed, .stood, .hasLost, .changed, .returned, .awaitsUser,
      ])
      visit.jumper = .init()
      visit.phase = .waiting
      if kind == .exiting {
        visit.phase = .entered
        visit.past.insert([.toldToEnter, .hasEntered, .seenExiting])
      }
    }
    return slot
  }

  /// Treats a discarded visit as open again when it enters, so that the stage stays known.
  private mutating func comeBack(_ row: EventRow, _ change: inout VisitChange) -> Int32? {
    guard let past = gone[row.visit], past.contains(.discarded), !past.contains(.judged) else {
      return nil
    }
    var visit = OpenVisit(row)
    visit.past.insert(.returned)
    return open.insert(visit)
  }

  /// A visit that is not open acts on the stage, so the stage is not known from now on.
  private mutating func comeUncertain(_ visit: UInt32) {
    isStageKnown = false
    if visit != 0 { forget(visit) }
  }

  /// Draws no more conclusions from a visit that is not open.
  private mutating func forget(_ visit: UInt32) {
    if visit > lastVisit {
      lastVisit = visit
      unknownThrough = visit
    } else if visit > unknownThrough || gone[visit] != nil {
      gone[visit] = (gone[visit] ?? []).union(.judged)
    }
  }

  /// Follows a visit that is unsure, or was never seen before, for its row.
  private mutating func note(
    _ row: EventRow, _ kind: EventKind, _ found: Int32, _ change: inout VisitChange,
    _ rows: inout ChangedVisits
  ) {
    var slot = found
    if slot < 0 {
      // A new request is sure.
      if isOver(row.visit) || kind == .deadline || kind == .enqueued && row.visit > lastVisit {
        return
      }
      var visit = OpenVisit(row)
      visit.past.insert(.unsure)
      if open.unsure.count == Self.mostUnsure { close(open.unsure.first, nil, &rows) }
      slot = insert(visit, &change)
    }
    open[slot].past.remove(.lost)
    if open[slot].state == 0 { open[slot].state = row.state }
    let now = OpenVisit.Point(row)
    switch kind {
    case .enqueued: if open[slot].asked.seq == 0 { open[slot].asked = now }
    case .entering:
      if open[slot].told.seq == 0, open[slot].entered.seq == 0 { open[slot].told = now }
      followNewest(slot, row)
    case .entered:
      if open[slot].entered.seq == 0 { open[slot].entered = now }
      if open[slot].told.seq == 0 { open[slot].told = now }
      followNewest(slot, row)
    case .deadline:
      if open[slot].told.seq != 0, open[slot].entered.seq == 0 { open[slot].entered = now }
    case .exiting:
      if open[slot].firstDismissed.seq == 0 { open[slot].firstDismissed = now }
      open[slot].past.insert(.dismissed)
    case .exited, .discarded: return change.outcome = close(slot, row, &rows)
    default: break
    }
    mark(slot, &rows)
  }

  /// Whether an event shows the phase of its visit.
  private static func isStep(_ row: EventRow, _ kind: EventKind) -> Bool {
    switch kind {
    case .enqueued, .entering, .entered, .exiting, .exited, .discarded: true
    case .deadline: row.reason == EventReason.enteringForce.code
    default: false
    }
  }

  /// Whether a visit that is not open has ended, if that is remembered.
  private func isOver(_ visit: UInt32) -> Bool {
    goneBefore[visit] != nil
      || visit <= lastVisit && (visit > unknownThrough || gone[visit] != nil)
  }
}

// MARK: Rows

extension ControllerVisits {
  /// The row of an open visit.
  func row(of slot: Int32) -> VisitRow {
    let visit = open[slot]
    return VisitRow(visit, of: id, outcome: outcome(of: visit), gone: detached)
  }

  private func outcome(of visit: OpenVisit) -> UInt8 {
    if visit.past.contains(.lost) { return VisitRow.Outcome.unknown }
    if continues { return VisitRow.Outcome.continues }
    if isTornDown { return VisitRow.Outcome.abandoned }
    // One that was told to exit while it waited is still waiting, or came afterwards.
    let come = visit.told.seq != 0 ? visit.told.seq : visit.entered.seq
    let isLeaving = come != 0 ? visit.dismissed.seq >= come : visit.asked.seq == 0
    if visit.firstDismissed.seq != 0, isLeaving { return VisitRow.Outcome.exiting }
    if visit.entered.seq != 0 { return VisitRow.Outcome.entered }
    if visit.told.seq != 0 { return VisitRow.Outcome.entering }
    return isWithholding ? VisitRow.Outcome.withheld : VisitRow.Outcome.waiting
  }

  /// Closes a visit that is over or no longer followed.
  @discardableResult
  private mutating func close(
    _ slot: Int32, _ row: EventRow?, _ rows: inout ChangedVisits
  ) -> UInt8 {
    let visit = open[slot]
    open.remove(slot)
    if row == nil { goneBefore[visit.visit] = [] }
    let outcome = outcome(of: visit, after: row)
    if rows.isKept, !visit.past.contains(.returned) {
      rows.closed.append(VisitRow(visit, of: id, outcome: outcome, gone: row?.time))
    }
    return outcome
  }

  private func outcome(of visit: OpenVisit, after row: EventRow?) -> UInt8 {
    guard let row else { return VisitRow.Outcome.unknown }
    if row.kind == EventKind.discarded.rawValue {
      return VisitRow.Outcome.discarded + min(row.reason, 7)
    }
    let isBySelf =
      row.kind != EventKind.moved.rawValue && !visit.past.contains(.dismissed)
      && !visit.past.contains(.hasLost) && fidelity != .threeKind
    return isBySelf ? VisitRow.Outcome.selfExit : VisitRow.Outcome.exited
  }

  private mutating func insert(_ visit: OpenVisit, _ change: inout VisitChange) -> Int32 {
    change.begins = true
    return open.insert(visit)
  }

  private mutating func mark(_ slot: Int32, _ rows: inout ChangedVisits) {
    guard rows.isKept, slot >= 0, !open[slot].past.contains(.changed),
      !open[slot].past.contains(.returned)
    else { return }
    open[slot].past.insert(.changed)
    rows.open.append((place, slot))
  }

  private mutating func markAll(_ rows: inout ChangedVisits) {
    guard rows.isKept else { return }
    for ends in [open.standing, open.waiting, open.unsure] {
      for slot in open.slots(ends) { mark(slot, &rows) }
    }
  }

  /// The row of an open visit that has changed, if it still is one.
  mutating func takeRow(_ slot: Int32) -> VisitRow? {
    guard open.isUsed(slot), open[slot].past.contains(.changed) else { return nil }
    open[slot].past.remove(.changed)
    return row(of: slot)
  }
}
