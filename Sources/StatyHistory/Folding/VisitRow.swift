import Staty
package import StatySQLite

/// The row of one visit in a file: its outcome and its times.
///
/// The row has the number of the visit's first event. Times are microseconds since that event.
package struct VisitRow: Equatable, Sendable {
  /// The phase of a visit, or how it ended, in 5 bits; part of the file format.
  package enum Outcome {
    package static let waiting: UInt8 = 0
    package static let exited: UInt8 = 1
    /// It exited without being told to.
    package static let selfExit: UInt8 = 2
    /// Events that show its phase may be missing.
    package static let unknown: UInt8 = 3
    /// It waits until its controller has a target.
    package static let withheld: UInt8 = 5
    package static let entering: UInt8 = 6
    package static let entered: UInt8 = 7
    package static let exiting: UInt8 = 8
    /// It was open when its controller was torn down.
    package static let abandoned: UInt8 = 9
    /// It goes on in another row: in the next session, or under another number of its controller.
    package static let continues: UInt8 = 10
    /// From here on: the reason why it was discarded.
    package static let discarded: UInt8 = 16

    /// The phase of a visit that is not over.
    static func phase(_ visit: OpenVisit, _ stage: StageState, continues: Bool) -> UInt8 {
      if visit.past.contains(.lost) { return unknown }
      if continues { return self.continues }
      if stage.isTornDown { return abandoned }
      // One that was told to exit while it waited is still waiting, or came afterwards.
      let come = visit.told.seq != 0 ? visit.told.seq : visit.entered.seq
      let isLeaving = come != 0 ? visit.dismissed.seq >= come : visit.asked.seq == 0
      if visit.firstDismissed.seq != 0, isLeaving { return exiting }
      if visit.entered.seq != 0 { return entered }
      if visit.told.seq != 0 { return entering }
      return stage.isWithholding ? withheld : waiting
    }

    /// How a visit ended with an event; without one, it is no longer followed.
    static func ending(_ visit: OpenVisit, with row: EventRow?, _ fidelity: Fidelity) -> UInt8 {
      guard let row else { return unknown }
      if row.kind == EventKind.discarded.rawValue { return discarded + min(row.reason, 7) }
      let isBySelf =
        row.kind != EventKind.moved.rawValue && !visit.past.contains(.dismissed)
        && !visit.past.contains(.hasLost) && fidelity != .threeKind
      return isBySelf ? selfExit : exited
    }
  }

  package var seq: Int64
  package var controller: Int32
  package var outcome: UInt8
  package var state: Int32
  /// The state that was shown before: 0 if none was; none if that is not known.
  package var from: Int32?
  /// When it was requested.
  package var asked: Int64?
  /// When the visit before was told to exit; not before this one's request, and not after it entered.
  package var turn: Int64?
  /// When the visit before had exited, within the same limits and not before `turn`.
  package var free: Int64?
  package var told: Int64?
  package var entered: Int64?
  /// When it was told to exit.
  package var dismissed: Int64?
  /// When it was over, or when recording of its controller ended.
  package var gone: Int64?

  /// Whether the visit is over, so that its row does not change any more.
  var isOver: Bool {
    outcome == Outcome.exited || outcome == Outcome.selfExit || outcome >= Outcome.discarded
  }

  /// Outcome and controller in one column.
  package var what: Int64 { Int64(outcome) | Int64(controller) << 5 }
}

extension VisitRow {
  /// The row in these columns; none if a number is out of its range.
  package init?(_ rows: Statement) {
    func value(_ column: Int) -> Int64? { rows.isNull(at: column) ? nil : rows.int64(at: column) }
    let what = rows.int64(at: 1)
    guard let controller = Int32(exactly: what >> 5),
      let state = Int32(exactly: value(2) ?? 0), rows.holds(Int64(state), at: 2)
    else { return nil }
    var from: Int32?
    if let number = value(3) {
      guard let known = Int32(exactly: number) else { return nil }
      from = known
    }
    self.init(
      seq: rows.int64(at: 0), controller: controller, outcome: UInt8(what & 31), state: state,
      from: from, asked: value(4), turn: value(5), free: value(6), told: value(7),
      entered: value(8), dismissed: value(9), gone: value(10))
  }

  init(_ visit: OpenVisit, of controller: Int32, outcome: UInt8, gone: Int64?) {
    let first = visit.first
    self.init(seq: first.seq, controller: controller, outcome: outcome, state: visit.state)
    func since(_ point: OpenVisit.Point) -> Int64? {
      point.seq == 0 ? nil : point.time &- first.time
    }
    // What happened before recording began has no time, unless it was recorded elsewhere.
    let stood = visit.past.contains(.stood) ? first.seq : 0
    func isUnseen(_ point: OpenVisit.Point) -> Bool {
      point.seq == stood && point.time == first.time
    }
    asked = isUnseen(visit.asked) ? nil : since(visit.asked)
    // The same for a visit that entered without being told.
    let isUntold = visit.told.seq == visit.entered.seq || isUnseen(visit.told)
    told = isUntold ? nil : since(visit.told)
    entered = since(visit.entered)
    dismissed = since(visit.firstDismissed)
    self.gone = gone.map { $0 &- first.time }
    if visit.past.contains(.came), visit.from >= 0 {
      from = visit.from
      // Times of different threads may step back a little; these two lie between the others.
      let last = min(told ?? entered ?? .max, entered ?? .max)
      func within(_ time: Int64?) -> Int64? {
        time.map { max(asked ?? .min, min($0 &- first.time, last)) }
      }
      (turn, free) = (within(visit.turn), within(visit.free))
    }
  }
}

/// The rows that have changed since rows were taken last.
struct ChangedVisits: Sendable {
  /// Whether changes are noted at all.
  let isKept: Bool
  /// The rows of visits that are over.
  var closed: [VisitRow] = []
  /// The open visits, by the places of their controllers and their slots.
  var open: [(place: Int, slot: Int32)] = []
}
