import Staty

/// The progress of one visit, as the numbers of its events; 0 where there is no event.
package struct StandingVisit: Equatable, Sendable {
  /// The number of the visit at its controller.
  package var visit: UInt32
  /// The number of its state's name.
  package var state: Int32
  /// The event that holds its payload.
  package var asked: Int64
  /// The event with which it entered.
  package var entered: Int64
  /// The event with which it exited.
  package var exited: Int64

  /// A visit with these events.
  package init(
    visit: UInt32, state: Int32, asked: Int64 = 0, entered: Int64 = 0, exited: Int64 = 0
  ) {
    self.visit = visit
    self.state = state
    self.asked = asked
    self.entered = entered
    self.exited = exited
  }

  /// Whether it has entered and not exited.
  package var isIn: Bool { entered != 0 && exited == 0 }
}

/// The visits of one controller that may still be shown, computed from its events in nearly any
/// order.
///
/// Events that one controller made on two threads may be stored in the wrong order, so an exit is
/// kept until its entry is known.
package struct ControllerStanding: Equatable, Sendable {
  /// The visits that are not over: shown, waiting with a payload, or exited before they entered.
  private var visits: [StandingVisit] = []
  /// The last visit that was shown and has exited.
  private var lastLeft: StandingVisit?

  // A controller that never ends its visits must not fill the file.
  private static let most = 128

  /// A controller without any known event.
  package init() {}

  /// A controller from its stored visits.
  package init(stored rows: [StandingVisit]) {
    for row in rows {
      if row.entered != 0, row.exited != 0 { leave(row) } else { visits.append(row) }
    }
  }

  /// The shown visit, the latest if there are several; if there is none, the last that was shown.
  package var last: StandingVisit? {
    visits.filter(\.isIn).max { $0.entered < $1.entered } ?? lastLeft
  }

  /// The visits to store, in their order.
  package var rows: [StandingVisit] {
    var rows = visits
    if let lastLeft, !visits.contains(where: \.isIn) { rows.append(lastLeft) }
    return rows.count < 2 ? rows : rows.sorted { $0.visit < $1.visit }
  }

  /// Takes an event of the controller.
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

  /// Notes a visit that was open when recording began, or that was shown last.
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
