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
  var gone = GoneVisits()
  /// The highest visit number seen.
  var lastVisit: UInt32
  /// Of the visits up to this one that are not open, nothing is known.
  var unknownThrough: UInt32 = 0
  /// Whether the numbers before the next request's may be of requests that were lost.
  var lostRequests = false
  var isStageKnown = true
  var isWithholding: Bool
  var isTornDown: Bool
  /// How many on the stage are coming in or leaving.
  var movingCount = 0
  var stageFree = VisitRecord.Moment()
  var lastTopInput: Int64 = 0
  /// The state that was shown last; 0 for none yet, -1 if it is not known.
  var shown: Int32 = 0
  /// Of those that wait, all up to this one know who came in before them.
  var overtakenThrough: UInt32 = 0
  /// The time up to which the controller was recorded, if that is over.
  var detached: Int64?
  var moves: RouteMoves?
  var intrusion = Intrusion()
  /// The names of the states in the opening, until their numbers are known.
  var unnumbered: [UInt32: String] = [:]
  var unnumberedShown: String?
  /// Whether there was an event.
  var hasBegun = false
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

  /// Whether names say more than the numbers do.
  var needsNames: Bool { moves != nil || !unnumbered.isEmpty || unnumberedShown != nil }

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
  mutating func add(_ one: ControllerOpening.Standing) {
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
  mutating func date(_ row: EventRow) {
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
