import Staty
import StatyHistory

/// What the events of one controller say about its visits: which wait, which are on the stage, and
/// how far each is.
///
/// It follows what was told and said, and decides nothing. What it is not certain of it leaves out:
/// a visit whose beginning was not seen, and everything that was open when events were lost.
struct ControllerModel {
  let id: Int32
  let discipline: Discipline
  let fidelity: Fidelity

  var open = OpenVisits()
  private var gone = GoneVisits()
  /// The highest visit number seen.
  private var lastVisit: UInt32
  /// Of the visits up to this one that are not open, nothing is known.
  private var unknownThrough: UInt32 = 0
  /// Whether the numbers before the next request's may be of requests that were lost.
  private var lostRequests = false
  private(set) var isStageKnown = true
  private(set) var isWithholding: Bool
  private(set) var isTornDown: Bool
  /// How many on the stage are coming in or leaving.
  private(set) var movingCount = 0
  private(set) var stageFree = VisitRecord.Moment()
  private(set) var lastTopInput: Int64 = 0
  /// The state that was shown last; 0 for none yet, -1 if it is not known.
  private var shown: Int32 = 0
  /// Of those that wait, all up to this one know who came in before them.
  private var overtakenThrough: UInt32 = 0
  /// The time up to which the controller was recorded, if that is over.
  private(set) var detached: Int64?
  private var moves: RouteMoves?
  private var intrusion = Intrusion()
  /// The names of the states in the opening, until their numbers are known.
  private var unnumbered: [UInt32: String] = [:]
  private var unnumberedShown: String?
  /// Whether there was an event.
  private(set) var hasBegun = false
  /// How many gaps of the session the model has taken in.
  var gaps = 0

  init(_ opening: ControllerOpening) {
    id = opening.id
    discipline = opening.discipline
    fidelity = opening.fidelity
    isWithholding = opening.isWithholding
    isTornDown = opening.isTornDown
    lastVisit = opening.lastVisit
    moves = opening.moves.map(RouteMoves.init)
    for one in opening.waiting + opening.standing { add(one) }
    unnumberedShown = opening.standing.last?.state
    if unnumberedShown != nil { shown = -1 }
    if !opening.isKnown { lose() }
  }

  /// Everything that was open becomes uncertain: events are missing here.
  mutating func lose() {
    open.removeAll()
    gone.removeAll()
    unknownThrough = lastVisit
    lostRequests = true
    isStageKnown = false
    movingCount = 0
    shown = -1
    unnumberedShown = nil
    unnumbered = [:]
    lastTopInput = 0
    overtakenThrough = 0
    intrusion = Intrusion()
  }

  /// Takes in the names that the file has by now.
  mutating func learn(_ names: [Int32: String]) {
    moves?.learn(names)
    if unnumbered.isEmpty, unnumberedShown == nil { return }
    for (number, name) in names {
      if unnumberedShown == name, shown == -1 {
        shown = number
        unnumberedShown = nil
      }
      for (visit, state) in unnumbered where state == name {
        let slot = open.slot(of: visit)
        if slot >= 0 { open[slot].state = number }
        unnumbered[visit] = nil
      }
    }
  }
}

// MARK: The opening

extension ControllerModel {
  private mutating func add(_ one: ControllerOpening.Standing) {
    guard one.visit != 0, one.phase != .left, one.phase != .empty, open.slot(of: one.visit) < 0
    else { return }
    lastVisit = max(lastVisit, one.visit)
    unnumbered[one.visit] = one.state
    var record = VisitRecord()
    record.visit = one.visit
    record.priority = one.priority
    switch one.phase {
    case .entering:
      record.phase = .entering
      record.past = .toldToEnter
    case .entered:
      record.phase = .entered
      record.past = [.toldToEnter, .wasIn]
    case .exiting:
      record.phase = .exiting
      record.past = [.toldToEnter, .wasIn, .toldToLeave]
    case .empty, .left, nil: break
    }
    if record.isMoving { movingCount += 1 }
    _ = open.insert(record)
  }

  /// What was under way when recording began counts from there.
  private mutating func date(_ row: EventRow) {
    let now = VisitRecord.Moment(seq: row.seq, time: row.time)
    stageFree = now
    var slots = [open.standing.first, open.waiting.first]
    while var slot = slots.popLast() {
      while slot >= 0 {
        if open[slot].asked.seq == 0 { open[slot].asked = now }
        if open[slot].told.seq == 0 { open[slot].told = now }
        if open[slot].dismissed.seq == 0 { open[slot].dismissed = now }
        slot = open[slot].next
      }
    }
  }
}

// MARK: Events

extension ControllerModel {
  /// Takes in an event, and gives what was known just before.
  mutating func take(
    _ row: EventRow, _ kind: EventKind, origin: UInt32, priority: Int32, cause: RecentEvents.Event
  ) -> Moment {
    var moment = Moment(row: row, discipline: discipline, fidelity: fidelity)
    moment.cause = cause
    hasBegun = true
    if fidelity == .full { noteInput(kind, &moment) }
    let slot = row.visit == 0 ? -1 : open.slot(of: row.visit)
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
    case .enqueued: request(row, slot, origin, priority, &moment)
    case .entering: come(row, slot, .entering, &moment)
    case .entered: arrive(row, slot, &moment)
    case .exiting: dismiss(row, slot)
    case .exited: end(slot, .exited)
    case .discarded: end(slot, .discarded)
    case .deadline: passDeadline(row, slot)
    case .cancelled:
      if row.reason == EventReason.cancelledTearDown.code { isTornDown = true }
    case .resumed:
      isWithholding = false
      stageFree = .init(seq: row.seq, time: row.time)
    case .attached: date(row)
    case .detached: detached = row.time
    case .stray, .mark, .lost: break
    }
    if wasMoving, movingCount == 0 { stageFree = .init(seq: row.seq, time: row.time) }
    return moment
  }

  private mutating func request(
    _ row: EventRow, _ slot: Int32, _ origin: UInt32, _ priority: Int32, _ moment: inout Moment
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
    _ = open.insert(record)
  }

  private mutating func come(
    _ row: EventRow, _ slot: Int32, _ phase: VisitRecord.Phase, _ moment: inout Moment
  ) {
    if moves != nil, shown >= 0, moves!.isUndeclared(from: shown, to: row.state) {
      moment.undeclaredFrom = shown
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

  private mutating func end(_ slot: Int32, _ how: VisitPast) {
    guard slot >= 0 else { return }
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

// MARK: Who is where

extension ControllerModel {
  /// Notes whom else the stage has.
  private func noteOthers(_ slot: Int32, _ moment: inout Moment) {
    let count = open.standing.count - (open[slot].isOnStage ? 1 : 0)
    guard count > 0 else { return }
    let last = open.standing.last
    let other = last == slot ? open[last].previous : last
    moment.other = open[other].visit
    moment.otherState = open[other].state
  }

  /// How many that wait are looked at when one of them comes in out of turn, by urgency.
  private static let mostOvertaken = 1_000

  /// Tells those that wait and were asked for earlier who came in before them.
  private mutating func overtake(_ slot: Int32, _ row: EventRow) {
    let jumper = open[slot]
    var slot = jumper.previous
    switch discipline {
    case .atOnce: return
    case .inOrder:
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
    }
  }
}

extension VisitRecord {
  fileprivate mutating func overtaken(by other: VisitRecord, _ row: EventRow) {
    if jumper.seq == 0 { jumper = .init(seq: row.seq, visit: other.visit, state: other.state) }
  }
}

// MARK: Threads

/// The last inputs without cause: the very last, and the last of another thread than that one's.
private struct Intrusion {
  var last = RecentEvents.Event()
  var lastOfOther = RecentEvents.Event()
}

extension ControllerModel {
  private mutating func noteInput(_ kind: EventKind, _ moment: inout Moment) {
    let row = moment.row
    if row.cause == 0 {
      guard kind.side == .input, kind != .attached, kind != .detached else { return }
      lastTopInput = row.seq
      if intrusion.last.thread != row.thread { intrusion.lastOfOther = intrusion.last }
      intrusion.last = RecentEvents.Event(
        seq: row.seq, controller: id, visit: row.visit, state: row.state, kind: row.kind,
        reason: row.reason, thread: row.thread)
      return
    }
    // A step that was put off runs whenever and wherever it runs.
    let cause = moment.cause
    guard kind != .resumed, cause.kind != 0, cause.controller == id, cause.thread == row.thread,
      EventKind(rawValue: cause.kind)?.side == .input
    else { return }
    let candidate =
      intrusion.last.thread != row.thread ? intrusion.last : intrusion.lastOfOther
    if candidate.seq > cause.seq, candidate.thread != row.thread { moment.intruder = candidate }
  }
}
