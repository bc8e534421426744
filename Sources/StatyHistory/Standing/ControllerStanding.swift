import Staty

/// How far one visit has come, told by the numbers of events; 0 where there is none.
package struct StandingVisit: Equatable, Sendable {
  /// Which visit of its controller.
  package var visit: UInt32
  /// The number of its state's name.
  package var state: Int32
  /// The event that has its payload.
  package var asked: Int64
  /// The event since which it is in.
  package var entered: Int64
  /// The event since which it is out.
  package var exited: Int64

  /// A visit that has come so far.
  package init(
    visit: UInt32, state: Int32, asked: Int64 = 0, entered: Int64 = 0, exited: Int64 = 0
  ) {
    self.visit = visit
    self.state = state
    self.asked = asked
    self.entered = entered
    self.exited = exited
  }

  /// Whether it is in.
  package var isIn: Bool { entered != 0 && exited == 0 }
}

/// Where one controller stands: worked out of its events, which may come in nearly any order.
///
/// Events of one controller that were made on two threads can be stored the wrong way round, so an
/// exit is kept until its entry has come.
package struct ControllerStanding: Equatable, Sendable {
  /// Those who are not through: in, waited for with a payload, or out before they were in.
  private var visits: [StandingVisit] = []
  /// The last one that was in and is not any more.
  private var lastLeft: StandingVisit?

  // A controller that never lets go of its visits must not fill the file.
  private static let most = 128

  /// A controller of which nothing is known.
  package init() {}

  /// A controller of which this was stored.
  package init(stored rows: [StandingVisit]) {
    for row in rows {
      if row.entered != 0, row.exited != 0 { leave(row) } else { visits.append(row) }
    }
  }

  /// The visit that is in, the one that came in last if there are several; if none is, the last
  /// that was.
  package var last: StandingVisit? {
    visits.filter(\.isIn).max { $0.entered < $1.entered } ?? lastLeft
  }

  /// What is to be stored, in order of visits.
  package var rows: [StandingVisit] {
    var rows = visits
    if let lastLeft, !visits.contains(where: \.isIn) { rows.append(lastLeft) }
    return rows.count < 2 ? rows : rows.sorted { $0.visit < $1.visit }
  }

  /// Takes in an event of the controller's.
  @inline(__always)
  package mutating func take(_ row: EventRow, hasPayload: Bool) {
    switch row.kind {
    case EventKind.enqueued.rawValue where hasPayload:
      let index = index(of: row)
      visits[index].asked = row.seq
    case EventKind.entered.rawValue: enter(row)
    case EventKind.exited.rawValue: exit(row)
    case EventKind.moved.rawValue: move(row)
    case EventKind.discarded.rawValue: discard(row)
    case EventKind.stood.rawValue: stand(row, hasPayload: hasPayload)
    default: break
    }
  }

  /// A visit was open when recording began, or was the last that was shown.
  private mutating func stand(_ row: EventRow, hasPayload: Bool) {
    let isOver = row.reason == EventReason.stoodExited.code
    let isEntered =
      row.reason == EventReason.stoodEntered.code || row.reason == EventReason.stoodExiting.code
    guard isOver || isEntered || hasPayload else { return }
    let index = index(of: row)
    if hasPayload { visits[index].asked = row.seq }
    if isOver || isEntered { visits[index].entered = row.seq }
    if isOver { exit(row) }
  }

  private mutating func enter(_ row: EventRow) {
    let index = index(of: row)
    visits[index].entered = row.seq
    if row.state != 0 { visits[index].state = row.state }
    if visits[index].exited != 0 { leave(visits.remove(at: index)) }
  }

  private mutating func move(_ row: EventRow) {
    if row.reason == EventReason.movedPop.code { return exit(row) }
    if visits.contains(where: { $0.visit == row.visit && $0.isIn }) { return }
    if row.reason == 0, let top = visits.lastIndex(where: \.isIn) {
      var visit = visits.remove(at: top)
      visit.exited = row.seq
      leave(visit)
    }
    enter(row)
  }

  private mutating func exit(_ row: EventRow) {
    let index = index(of: row)
    visits[index].exited = row.seq
    if visits[index].entered != 0 { leave(visits.remove(at: index)) }
  }

  private mutating func discard(_ row: EventRow) {
    guard !visits.isEmpty, let index = visits.lastIndex(where: { $0.visit == row.visit }) else {
      return
    }
    var visit = visits.remove(at: index)
    visit.exited = row.seq
    if visit.entered != 0 { leave(visit) }
  }

  private mutating func leave(_ visit: StandingVisit) {
    if visit.exited > lastLeft?.exited ?? 0 { lastLeft = visit }
  }

  private mutating func index(of row: EventRow) -> Int {
    if let known = visits.lastIndex(where: { $0.visit == row.visit }) { return known }
    add(StandingVisit(visit: row.visit, state: row.state))
    return visits.count - 1
  }

  private mutating func add(_ visit: StandingVisit) {
    if visits.count >= Self.most {
      visits.remove(at: visits.firstIndex { !$0.isIn } ?? 0)
    }
    visits.append(visit)
  }
}
