import Staty

/// What the events of one controller say about its visits: which wait, which are on the stage, and
/// how far each is.
///
/// It follows what was told and reported, and decides nothing. A visit whose beginning was not seen,
/// and everything that was open when events were lost, is unsure: it is followed for what its row
/// says, and nothing is concluded from it until it is seen again.
struct ControllerVisits: Sendable {
  let id: Int32
  let discipline: Discipline
  let fidelity: Fidelity
  /// Its place in the fold.
  let place: Int

  private(set) var open = OpenVisits()
  /// Visits that ended, since events were lost last.
  private var gone = EndedVisits()
  /// Visits that had ended when events were lost last.
  private var goneBefore = EndedVisits()
  /// The highest visit number seen.
  private(set) var lastVisit: UInt32
  /// Of the visits up to this one that are not open, nothing is known.
  private var unknownThrough: UInt32 = 0
  /// Whether the numbers before the next request's may be of requests that were lost.
  private var lostRequests = false
  private(set) var isStageKnown = true
  private(set) var isWithholding: Bool
  private(set) var isTornDown: Bool
  /// How many on the stage are entering or exiting.
  private var movingCount = 0
  private(set) var stageFree = OpenVisit.Point()
  /// The state that was shown last; 0 for none yet, -1 if it is not known.
  private var shown: Int32 = 0
  /// The visit that entered last of those that had not before.
  private var newest = Newest()
  /// Of those that wait, all up to this one know which entered before them.
  private var overtakenThrough: UInt32 = 0
  /// The time up to which the controller was recorded, if that is over.
  private(set) var detached: Int64?
  /// Whether it is recorded further in the next session.
  private(set) var continues = false
  /// Whether recording ended while nothing was under way.
  private var hasEndedAtRest = false
  /// Whether it did something about no input, or in a step that it had put off.
  private var actsByItself = false
  /// The last step that was put off, and the event in which it was decided on.
  private var lastStep = (seq: Int64(0), decided: Int64(0))
  private var moves: RouteMoves?
  private var answers = MessageAnswers()
  /// Whether there was an event.
  private(set) var hasBegun = false
  /// How many gaps of the session it has taken in.
  var gaps = 0

  private struct Newest {
    var visit: UInt32 = 0
    /// 0 for none yet, -1 if it is not known.
    var state: Int32 = 0
    var dismissed: Int64?
    var gone: Int64?
  }

  /// How many visits that are unsure are followed.
  private static let mostUnsure = 256

  init(_ opening: ControllerOpening, place: Int) {
    self.place = place
    id = opening.id
    discipline = opening.discipline
    fidelity = opening.fidelity
    isWithholding = opening.isWithholding
    isTornDown = opening.isTornDown
    lastVisit = opening.lastVisit
    moves = opening.moves.map(RouteMoves.init)
    if !opening.isKnown { forgetAll() }
  }

  var needsNames: Bool { moves != nil }

  mutating func learn(_ names: [Int32: String]) { moves?.learn(names) }

  var isStageBusy: Bool { movingCount > 0 }

  /// Whether every visit and what is on the stage are known.
  var isCertain: Bool {
    isStageKnown && unknownThrough == 0 && !lostRequests && open.unsure.count == 0
  }
  /// Whether it is known that nothing more comes of it.
  var isSettled: Bool { hasEndedAtRest && !actsByItself }

  /// The visit that was shown last and has exited, if none came after it.
  var lastShown: (visit: UInt32, state: Int32)? {
    newest.visit != 0 && newest.gone != nil ? (newest.visit, newest.state) : nil
  }

  /// How much it holds, in visits: what has ended takes as much memory as a few.
  var weight: Int { open.size + (hasBegun ? 6 : 1) }
}

// MARK: Events

extension ControllerVisits {
  /// Takes in an event, and says what was known just before.
  mutating func take(
    _ row: EventRow, _ kind: EventKind, origin: UInt32, priority: Int32, isAnew: Bool,
    instance: UInt32, age: Int64, _ change: inout VisitChange, _ rows: inout ChangedVisits
  ) {
    if !hasBegun {
      hasBegun = true
      // Which visits were open is told by events; where they are missing, so may others be.
      if lastVisit > 0, kind != .attached, kind != .stood { forgetAll() }
    }
    let wasMoving = movingCount > 0
    if kind == .entering || kind == .entered { resume(&rows) }
    let slot = find(row, kind, &change, &rows)
    switch kind {
    case .enqueued: request(row, slot, origin, priority, isAnew, &change, &rows)
    case .entering: come(row, slot, .entering, &change)
    case .entered: arrive(row, slot, &change)
    case .exiting: dismiss(row, slot, &change)
    case .exited: end(row, slot, .exited, &change, &rows)
    case .discarded: end(row, slot, .discarded, &change, &rows)
    case .deadline: passDeadline(row, slot)
    case .stood: stand(row, priority, age, &change, &rows)
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
      stageFree = .init(row)
    case .attached: stageFree = .init(row)
    case .detached: detach(row, &rows)
    case .stray:
      if slot >= 0, row.reason == EventReason.strayEntered.code {
        open[slot].past.insert(.saidEntered)
      }
    case .moved:
      change.staleOrigin = answers.staleOrigin(of: row)
      move(row, slot, instance, &change, &rows)
    case .received: answers.take(row)
    case .mark, .lost, .calling: break
    }
    if rows.isKept, slot >= 0, kind != .exited, kind != .discarded, kind != .moved {
      mark(slot, &rows)
    }
    if kind.side == .output, kind != .moved, row.cause == 0 { actsByItself = true }
    if wasMoving, movingCount == 0 { stageFree = .init(row) }
  }

  /// The event in which it was decided what an event tells; 0 if that is not known.
  private func decision(_ row: EventRow) -> Int64 {
    row.cause != 0 && row.cause == lastStep.seq ? lastStep.decided : row.cause
  }

  /// The slot of the event's visit, if it is open and it is known where it is; -1 else.
  private mutating func find(
    _ row: EventRow, _ kind: EventKind, _ change: inout VisitChange, _ rows: inout ChangedVisits
  ) -> Int32 {
    guard row.visit != 0 else { return -1 }
    let found = open.slot(of: row.visit)
    var slot = found >= 0 && !open[found].isUnsure ? found : -1
    if slot >= 0, open[slot].past.contains(.seenExiting), kind == .entering || kind == .entered {
      // It had not entered, then.
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
    _ row: EventRow, _ slot: Int32, _ origin: UInt32, _ priority: Int32, _ isAnew: Bool,
    _ change: inout VisitChange, _ rows: inout ChangedVisits
  ) {
    if origin != 0, origin <= lastVisit, !isSure(origin),
      gone[origin] != nil || origin > unknownThrough
    {
      change.goneOrigin = origin
    }
    guard slot < 0, row.visit != 0 else { return }
    // A number that was given before: nothing that is said of it is certain.
    if row.visit <= lastVisit || goneBefore[row.visit] != nil { return forget(row.visit) }
    // Those in between were requested unseen.
    if lostRequests || row.visit > lastVisit + 1 { unknownThrough = row.visit - 1 }
    lostRequests = false
    lastVisit = row.visit
    var visit = OpenVisit(row)
    visit.priority = priority
    visit.asked = .init(row)
    if isAnew { visit.past.insert(.askedAnew) }
    mark(insert(visit, &change), &rows)
  }

  private mutating func come(
    _ row: EventRow, _ slot: Int32, _ phase: OpenVisit.Phase, _ change: inout VisitChange
  ) {
    // What was shown may have been taken away: then it is as at the beginning.
    let from = slot >= 0 && open[slot].past.contains(.askedAnew) ? 0 : shown
    if moves != nil, from >= 0, moves!.isUndeclared(from: from, to: row.state) {
      change.undeclaredFrom = from
    }
    shown = row.state
    guard let slot = slot >= 0 ? slot : comeBack(row, &change) else {
      return comeUncertain(row.visit)
    }
    noteOther(slot, &change)
    guard !open[slot].isOnStage else { return }
    overtake(slot, row)
    if open[slot].told.seq == 0 { open[slot].told = .init(row) }
    if phase == .entered, open[slot].entered.seq == 0 { open[slot].entered = .init(row) }
    if !open[slot].past.contains(.returned) { followNewest(slot, row) }
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
      // It was out of sight, and is over.
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
    gone[visit.visit] = visit.past.union(how)
    change.outcome = close(slot, row, &rows)
  }

  /// Those that wait do not enter any more.
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
      // The controller goes on as if it had entered.
      open[slot].past.insert(.hasEntered)
      if open[slot].entered.seq == 0 { open[slot].entered = .init(row) }
      open[slot].phase = .entered
      movingCount -= 1
    }
  }

  /// A visit was open when recording began, or was the last that was shown.
  private mutating func stand(
    _ row: EventRow, _ priority: Int32, _ age: Int64, _ change: inout VisitChange,
    _ rows: inout ChangedVisits
  ) {
    guard row.visit != 0, open.slot(of: row.visit) < 0 else { return }
    lastVisit = max(lastVisit, row.visit)
    let now = OpenVisit.Point(seq: row.seq, time: row.time &- age)
    var visit = OpenVisit(row)
    visit.priority = priority
    visit.past.insert(.stood)
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
      // It was told to before.
      if visit.phase == .exiting { newest.dismissed = .min }
    }
    if visit.isMoving { movingCount += 1 }
    mark(insert(visit, &change), &rows)
  }

  /// A track's value changed.
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
    // The same state again.
    if slot >= 0, open[slot].isOnStage { return mark(slot, &rows) }
    if moves != nil, shown >= 0, moves!.isUndeclared(from: shown, to: row.state) {
      change.undeclaredFrom = shown
    }
    shown = row.state
    let first = instance == 0 ? row.visit : instance
    if row.reason == 0 {
      leaveTop(row, &change, &rows)
    } else if open.standing.last >= 0, open[open.standing.last].instance == first {
      change.below = open[open.standing.last].visit
    }
    var slot = slot
    if slot < 0 {
      // A number that was given before: nothing that is said of it is certain.
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

  /// The track moves on from what it showed.
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

  /// How many that wait are looked at when one of them enters out of turn, by urgency.
  private static let mostOvertaken = 1_000

  /// Tells those that wait and whose turn came earlier which entered before them.
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
      // Those that were requested later count if that was known when it was decided who enters.
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

  /// A visit enters for the first time: its way there is measured along the one before.
  private mutating func followNewest(_ slot: Int32, _ row: EventRow) {
    guard !open[slot].past.contains(.came) else { return }
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
    // One that was out of sight stands behind those that were requested after it.
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
  /// Everything that is open becomes unsure: events are missing here.
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
    unknownThrough = lastVisit
    lostRequests = true
    isStageKnown = false
    movingCount = 0
    shown = -1
    newest = Newest(state: -1)
    overtakenThrough = 0
  }

  /// Where a visit is may be among what was lost.
  private mutating func doubt(_ slot: Int32) {
    open.move(slot) { $0.past.insert(.unsure) }
  }

  /// Whether an event of a visit that was out of sight, because events were lost, shows where it is.
  ///
  /// One that is told to enter counts as not having been on the stage before, and one that is told to
  /// exit as having entered. A report that it has entered shows nothing: what it was told since is not
  /// known.
  private func isSeenAgain(_ visit: UInt32, _ kind: EventKind) -> Bool {
    guard isOutOfSight(visit) else { return false }
    return switch kind {
    case .entering, .exiting, .moved: true
    case .entered: fidelity == .threeKind
    default: false
    }
  }

  /// Whether a visit may be anywhere, because what became of it was lost.
  private func isOutOfSight(_ visit: UInt32) -> Bool {
    // Of those that were seen to end since, some may not be remembered.
    visit != 0 && visit <= unknownThrough && gone[visit] == nil && !gone.hasForgotten
      && goneBefore[visit] == nil
      || lostRequests && visit > lastVisit
  }

  /// Whether a visit is open, and it is known where it is.
  private func isSure(_ visit: UInt32) -> Bool {
    let slot = open.slot(of: visit)
    return slot >= 0 && !open[slot].isUnsure
  }

  /// Takes a visit for open from now on, as it was before this event.
  private mutating func seeAgain(
    _ row: EventRow, _ kind: EventKind, _ found: Int32, _ change: inout VisitChange
  ) -> Int32 {
    if row.visit > lastVisit {
      lastVisit = row.visit
      unknownThrough = row.visit
    }
    let slot = found >= 0 ? found : insert(OpenVisit(row), &change)
    open.move(slot) { visit in
      visit.past.formIntersection([.came, .dismissed, .stood, .hasLost, .changed, .returned])
      visit.jumper = .init()
      visit.phase = .waiting
      if kind == .exiting {
        visit.phase = .entered
        visit.past.insert([.toldToEnter, .hasEntered, .seenExiting])
      }
    }
    return slot
  }

  /// Takes a visit that was discarded for open again when it enters, so that the stage stays known.
  private mutating func comeBack(_ row: EventRow, _ change: inout VisitChange) -> Int32? {
    guard let past = gone[row.visit], past.contains(.discarded), !past.contains(.judged) else {
      return nil
    }
    var visit = OpenVisit(row)
    visit.past.insert(.returned)
    return open.insert(visit)
  }

  /// A visit that is not open does something on the stage: what is there is not known from now on.
  private mutating func comeUncertain(_ visit: UInt32) {
    isStageKnown = false
    if visit != 0 { forget(visit) }
  }

  /// From now on nothing is concluded from a visit that is not open.
  private mutating func forget(_ visit: UInt32) {
    if visit > lastVisit {
      lastVisit = visit
      unknownThrough = visit
    } else if visit > unknownThrough || gone[visit] != nil {
      gone[visit] = (gone[visit] ?? []).union(.judged)
    }
  }

  /// Follows a visit that is unsure, or was never seen before, for what its row says.
  private mutating func note(
    _ row: EventRow, _ kind: EventKind, _ found: Int32, _ change: inout VisitChange,
    _ rows: inout ChangedVisits
  ) {
    var slot = found
    if slot < 0 {
      // A request that is new is sure.
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

  /// Whether an event says how far its visit is.
  private static func isStep(_ row: EventRow, _ kind: EventKind) -> Bool {
    switch kind {
    case .enqueued, .entering, .entered, .exiting, .exited, .discarded: true
    case .deadline: row.reason == EventReason.enteringForce.code
    default: false
    }
  }

  /// Whether a visit that is not open has ended, as far as that is remembered.
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
    if visit.firstDismissed.seq != 0 { return VisitRow.Outcome.exiting }
    if visit.entered.seq != 0 { return VisitRow.Outcome.entered }
    if visit.told.seq != 0 { return VisitRow.Outcome.entering }
    return isWithholding ? VisitRow.Outcome.withheld : VisitRow.Outcome.waiting
  }

  /// A visit is over, or followed no longer.
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
