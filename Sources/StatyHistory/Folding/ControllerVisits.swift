import Staty

/// The visits of one controller as its events tell them: which wait, which are on the stage, and the phase of each.
///
/// It follows what was told and reported, and decides nothing. A visit with an unknown beginning is
/// unsure, and so is every visit that was open when events were lost. An unsure visit is followed
/// for its row, but no conclusion is drawn from it until an event shows its phase again.
struct ControllerVisits: Sendable {
  let id: Int32
  /// The name under which it is recorded; empty if that is not known.
  let name: String
  let isTrack: Bool
  let discipline: Discipline
  let fidelity: Fidelity
  /// Whether its fidelity is known; salvage assumes the lowest if it is not.
  let isVerified: Bool
  /// Whether it is a track that has had events before and does not say that it shows nothing.
  let isUnheard: Bool
  /// Its place in the fold.
  let place: Int

  private(set) var open = OpenVisits()
  private(set) var numbers = KnownNumbers()
  private(set) var isStageKnown = true
  private(set) var isWithholding: Bool
  private(set) var isTornDown: Bool
  /// How many visits on the stage are entering or exiting.
  private var movingCount = 0
  private(set) var stageFree = OpenVisit.Point()
  private(set) var succession = Succession()
  /// The time at which recording of the controller ended, if it has.
  private(set) var detached: Int64?
  /// Whether its recording goes on: in the next session, or under another number.
  private(set) var continues = false
  /// The place of the controller as which it was recorded before.
  private(set) var predecessor: Int?
  var habits = ControllerHabits()
  var declarations: Declarations
  private(set) var answers = MessageAnswers()
  /// Its first event; `nil` before it.
  private(set) var first: EventRow?
  /// Whether it had any event.
  var hasBegun: Bool { first != nil }
  /// How many gaps of the session it has taken into account.
  var gaps = 0

  /// The most unsure visits that are followed.
  private static let mostUnsure = 256

  init(_ opening: ControllerOpening, place: Int) {
    self.place = place
    id = opening.id
    (name, isTrack) = (opening.name, opening.isTrack)
    discipline = opening.discipline
    fidelity = opening.fidelity
    isVerified = opening.isVerified
    isUnheard = opening.isLate && !opening.isEmpty
    isWithholding = opening.isWithholding
    isTornDown = opening.isTornDown
    declarations = Declarations(opening)
    numbers.stand(opening.lastVisit)
    // What a track shows is known only if an event says so.
    if !opening.isEmpty, opening.isLate || discipline == .moves { succession.shown = -1 }
    if opening.isLate || opening.lastVisit > 0 { succession.forgetNewest() }
    if !opening.isKnown { forgetAll() }
  }

  var isStageBusy: Bool { movingCount > 0 }

  /// How many visits are open, if all are known and it is recorded: those of its overview.
  var knownVisits: Int { isCertain && detached == nil ? open.count : 0 }

  /// Whether every visit and its phase are known.
  var isCertain: Bool { isStageKnown && numbers.isComplete && open.unsure.count == 0 }

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
      change.mirrors = declarations.mirrors
      // Events say which visits were open. If those events are missing, others may be, too.
      if numbers.last > 0, kind != .attached, kind != .stood { forgetAll() }
    }
    change.isNothing = declarations.isNothing(row.state)
    let wasMoving = movingCount > 0
    if kind == .entering || kind == .entered { resume(&rows) }
    let slot = find(row, kind, &change, &rows)
    habits.take(row, kind, free: stageFree, isWithholding: isWithholding)
    switch kind {
    case .enqueued: request(row, slot, detail, &change, &rows)
    case .entering:
      if slot >= 0 { habits.enter(row, asked: open[slot].asked) }
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
      // A step of the controller's own changes nothing by itself.
      if isWithholding { stageFree = .init(row) }
      resume(&rows)
    case .attached: stageFree = .init(row)
    case .detached: detach(row, &rows)
    case .stray:
      if slot >= 0, row.strayCompletion == .entered { open[slot].past.insert(.reportedEntered) }
    case .moved:
      let last = succession.last
      move(row, slot, detail.instance, &change, &rows)
      let keepsName = succession.last == last
      answers.move(row, keepsName: keepsName, detail.fingerprint, &change.remarks)
    case .received:
      answers.take(row, part: detail.part, isPassedOn: detail.isPassedOn, &change.remarks)
    case .sent: answers.send(row)
    case .mark, .lost, .calling: break
    }
    if rows.isKept, slot >= 0, kind != .exited, kind != .discarded, kind != .moved {
      mark(slot, &rows)
    }
    if wasMoving, movingCount == 0 { stageFree = .init(row) }
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
      open.move(slot) { $0.past.insert(.unsure) }
      slot = -1
    }
    if slot < 0, isSeenAgain(row.visit, kind) {
      numbers.see(row.visit)
      slot = found >= 0 ? found : insert(OpenVisit(row), &change)
      open.move(slot) { $0.seeAgain(kind) }
    } else if slot < 0, Self.isStep(row, kind) {
      note(row, kind, found, &change, &rows)
    }
    if slot >= 0 {
      change.subject = .open
      if open[slot].state == 0 { open[slot].state = row.state }
      change.visit = open[slot]
    } else {
      change.past = numbers.past(of: row.visit)
      let isJudged = change.past?.contains(.judged) ?? false
      if !isJudged, numbers.isOver(row.visit) { change.subject = .gone }
    }
    return slot
  }

  private mutating func request(
    _ row: EventRow, _ slot: Int32, _ detail: FoldedDetail, _ change: inout VisitChange,
    _ rows: inout ChangedVisits
  ) {
    if detail.origin != 0, numbers.isOver(detail.origin) {
      let origin = open.slot(of: detail.origin)
      if origin < 0 || open[origin].isUnsure { change.goneOrigin = detail.origin }
    }
    guard slot < 0, row.visit != 0 else { return }
    if numbers.wasOver(row.visit) { return numbers.forget(row.visit) }
    guard numbers.begin(row.visit) else { return }
    var visit = OpenVisit(row)
    visit.priority = detail.priority
    visit.asked = .init(row)
    visit.take(flagsOf: detail)
    mark(insert(visit, &change), &rows)
  }

  private mutating func come(
    _ row: EventRow, _ slot: Int32, _ phase: OpenVisit.Phase, _ change: inout VisitChange
  ) {
    // The shown state may have been taken away: then this is like the beginning.
    let from = slot >= 0 && open[slot].past.contains(.askedAnew) ? 0 : succession.shown
    // What was shown before the controller was there is no transition.
    let isAdopted = from == 0 && slot >= 0 && open[slot].past.contains(.pastRoutes)
    if !isAdopted, declarations.isUndeclared(from: from, to: row.state) {
      change.undeclaredFrom = from
    }
    succession.shown = row.state
    guard let slot = slot >= 0 ? slot : comeBack(row) else { return comeUncertain(row.visit) }
    note(other: open.last(besides: slot), &change)
    guard !open[slot].isOnStage else { return }
    if discipline == .stack { noteBelow(nil, &change) }
    succession.overtake(slot, row, discipline, decided: habits.decision(row), &open)
    open[slot].told.keepFirst(row)
    if phase == .entered { open[slot].entered.keepFirst(row) }
    succession.follow(&open[slot], row)
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
    let phase = open[slot].phase
    if phase == .waiting { return come(row, slot, .entered, &change) }
    open[slot].entered.keepFirst(row)
    guard phase == .entering else { return }
    open[slot].past.insert(.hasEntered)
    let exits = open[slot].past.contains(.toldToExit)
    open[slot].phase = exits ? .exiting : .entered
    if !exits { movingCount -= 1 }
  }

  private mutating func dismiss(_ row: EventRow, _ slot: Int32, _ change: inout VisitChange) {
    succession.dismiss(row)
    guard slot >= 0 else {
      if !numbers.isOver(row.visit) { comeUncertain(row.visit) }
      return
    }
    if open[slot].past.contains(.toldToExit) { return }
    if open.waiting.count > 0 { habits.makeRoom(row, entered: open[slot].entered) }
    if discipline == .stack { note(other: open.highest(over: slot), &change) }
    open[slot].past.insert([.toldToExit, .dismissed])
    open[slot].dismissed = .init(row)
    open[slot].firstDismissed.keepFirst(row)
    if open[slot].phase == .entered {
      open[slot].phase = .exiting
      movingCount += 1
    }
  }

  private mutating func end(
    _ row: EventRow, _ slot: Int32, _ how: VisitPast, _ change: inout VisitChange,
    _ rows: inout ChangedVisits
  ) {
    succession.end(row)
    guard slot >= 0 else { return numbers.endUnsure(row.visit, how) }
    let visit = open[slot]
    if visit.isMoving { movingCount -= 1 }
    if how == .exited, visit.phase == .entered, !visit.past.contains(.toldToExit) {
      habits.exitByItself()
    }
    if visit.isOnStage, movingCount == 0 { stageFree = .init(row) }
    numbers.end(visit.visit, visit.past.union(how))
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
      open[slot].entered.keepFirst(row)
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
    numbers.stand(row.visit)
    if row.reason == EventReason.stoodExited.code {
      numbers.end(row.visit, .exited)
      return succession.show(row.visit, row.state, dismissed: .min, gone: .min)
    }
    guard let visit = OpenVisit(standing: row, detail, on: discipline) else { return }
    // It was told to exit before.
    let dismissed: Int64? = visit.phase == .exiting ? .min : nil
    if visit.isOnStage { succession.show(row.visit, row.state, dismissed: dismissed) }
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
      if top >= 0 { return succession.show(open[top].visit, open[top].state) }
      // Behind a loss, something else may lie below.
      return isCertain ? succession.show(0, 0) : succession.lose()
    }
    // The state has not changed.
    if slot >= 0, open[slot].isOnStage { return mark(slot, &rows) }
    let from = succession.shown
    if declarations.isUndeclared(from: from, to: row.state) { change.undeclaredFrom = from }
    succession.shown = row.state
    let first = instance == 0 ? row.visit : instance
    if row.reason == 0 {
      leaveTop(row, &change, &rows)
    } else {
      noteBelow(first, &change)
      succession.push(row)
    }
    var slot = slot
    if slot < 0 {
      guard numbers.begin(row.visit) else { return }
      slot = insert(OpenVisit(row), &change)
    }
    succession.follow(&open[slot], row)
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
    numbers.end(visit.visit, visit.past.union(.exited))
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
    markAll(&rows)
    if !continues {
      numbers.removeAll()
      answers.end()
    }
    declarations.dropRoutes()
  }

  /// Notes which other visit is on the stage; -1 if none is.
  private func note(other slot: Int32, _ change: inout VisitChange) {
    guard slot >= 0 else { return }
    change.other = open[slot].visit
    change.otherState = open[slot].state
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
      inside: succession.message(pushing: top.visit))
  }
}

// MARK: Going on under another number

extension ControllerVisits {
  /// Goes on where its recording stopped under another number.
  mutating func succeed(_ earlier: borrowing ControllerVisits) {
    predecessor = earlier.place
    let known = habits.exitsByThemselves
    (habits, answers) = (earlier.habits, earlier.answers)
    habits.exitsByThemselves = known
    numbers.succeed(earlier.numbers)
  }

  /// Its recording goes on under another number: what does not stand there may have ended in what was lost.
  mutating func stop(_ rows: inout ChangedVisits) {
    numbers.removeAll()
    answers = MessageAnswers()
    for slot in [open.standing, open.waiting, open.unsure].flatMap(open.slots) {
      open[slot].past.insert(.lost)
      mark(slot, &rows)
    }
  }

  /// Takes that a visit stood when recording went on under another number.
  ///
  /// - Returns: for how long it had been in its phase; 0 if that is not known.
  mutating func passOn(_ row: EventRow, _ rows: inout ChangedVisits) -> Int64 {
    let slot = open.slot(of: row.visit)
    guard slot >= 0, let phase = OpenVisit.Phase(standing: row) else { return 0 }
    // So it did not end in what was lost.
    open[slot].past.remove(.lost)
    mark(slot, &rows)
    let (known, since) = (open[slot].progress, open[slot].since)
    return known == phase && since.seq != 0 ? max(0, row.time &- since.time) : 0
  }
}

// MARK: What is not certain

extension ControllerVisits {
  /// Makes all open visits unsure: events are missing here.
  mutating func lose(_ rows: inout ChangedVisits) {
    guard detached == nil else { return }
    for slot in open.slots(open.standing) + open.slots(open.waiting) {
      open.move(slot) { $0.past.insert(.unsure) }
    }
    for slot in open.slots(open.unsure) {
      open[slot].past.insert([.lost, .hasLost])
      mark(slot, &rows)
    }
    while open.unsure.count > Self.mostUnsure { close(open.unsure.first, nil, &rows) }
    forgetAll()
  }

  private mutating func forgetAll() {
    answers = answers.behindLoss
    numbers.lose()
    succession.lose()
    isStageKnown = false
    movingCount = 0
  }

  /// Whether an event shows the phase of a visit that had become unknown because events were lost.
  ///
  /// A visit that is told to enter counts as not having been on the stage before, and one that is told to exit as
  /// having entered. A report that it has entered shows nothing: what it was told since is not known.
  private func isSeenAgain(_ visit: UInt32, _ kind: EventKind) -> Bool {
    guard numbers.isOutOfSight(visit) else { return false }
    return switch kind {
    case .entering, .exiting, .moved: true
    case .entered: fidelity == .threeKind
    default: false
    }
  }

  /// Treats a discarded visit as open again when it enters, so that the stage stays known.
  private mutating func comeBack(_ row: EventRow) -> Int32? {
    guard let past = numbers.past(of: row.visit), past.contains(.discarded),
      !past.contains(.judged)
    else { return nil }
    var visit = OpenVisit(row)
    visit.past.insert(.returned)
    return open.insert(visit)
  }

  /// A visit that is not open acts on the stage, so the stage is not known from now on.
  private mutating func comeUncertain(_ visit: UInt32) {
    isStageKnown = false
    if visit != 0 { numbers.forget(visit) }
  }

  /// Follows a visit that is unsure, or was never seen before, for its row.
  private mutating func note(
    _ row: EventRow, _ kind: EventKind, _ found: Int32, _ change: inout VisitChange,
    _ rows: inout ChangedVisits
  ) {
    var slot = found
    if slot < 0 {
      // A new request is sure.
      let isSure = kind == .enqueued && row.visit > numbers.last
      if isSure || kind == .deadline || numbers.isOver(row.visit) || numbers.wasOver(row.visit) {
        return
      }
      var visit = OpenVisit(row)
      visit.past.insert(.unsure)
      if open.unsure.count == Self.mostUnsure { close(open.unsure.first, nil, &rows) }
      slot = insert(visit, &change)
    }
    open[slot].takeUnsure(row, kind)
    if kind == .exited || kind == .discarded { return change.outcome = close(slot, row, &rows) }
    if kind == .entering || kind == .entered { succession.follow(&open[slot], row) }
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
}

// MARK: Rows

extension ControllerVisits {
  /// Closes a visit that is over or no longer followed.
  @discardableResult
  private mutating func close(
    _ slot: Int32, _ row: EventRow?, _ rows: inout ChangedVisits
  ) -> UInt8 {
    let visit = open[slot]
    open.remove(slot)
    if row == nil { numbers.drop(visit.visit) }
    let outcome = VisitRow.Outcome.ending(visit, with: row, fidelity)
    if rows.isKept, !visit.past.contains(.returned) {
      rows.closed.append(VisitRow(visit, of: id, outcome: outcome, gone: row?.time))
    }
    return outcome
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
    let visit = open[slot]
    let outcome = VisitRow.Outcome.phase(visit, stage, continues: continues)
    return VisitRow(visit, of: id, outcome: outcome, gone: detached)
  }
}
