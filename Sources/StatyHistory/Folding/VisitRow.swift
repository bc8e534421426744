import Staty

/// What a file says of one visit: how far it has come, and when.
///
/// The row has the number of the visit's first event. Times are microseconds since that event.
package struct VisitRow: Equatable, Sendable {
  /// How far a visit is, or how it ended, in 5 bits; part of the file format.
  package enum Outcome {
    package static let waiting: UInt8 = 0
    package static let exited: UInt8 = 1
    /// It exited without being told to.
    package static let selfExit: UInt8 = 2
    /// Events that say where it is may be missing.
    package static let unknown: UInt8 = 3
    /// It waits until its controller has a target.
    package static let withheld: UInt8 = 5
    package static let entering: UInt8 = 6
    package static let entered: UInt8 = 7
    package static let exiting: UInt8 = 8
    /// It was open when its controller was torn down.
    package static let abandoned: UInt8 = 9
    /// It goes on in the next session of its process.
    package static let continues: UInt8 = 10
    /// And above: the reason why it was discarded.
    package static let discarded: UInt8 = 16

    /// What the view `visits` calls it.
    package static func text(_ outcome: UInt8, ended: SessionEnd?) -> String {
      switch outcome {
      case exited: "exited"
      case selfExit: "self-exit"
      case unknown: "unknown"
      case continues: "continues"
      case discarded...:
        EventReason(kind: .discarded, code: outcome - discarded)?.text ?? "discarded"
      default: ended == .killed || ended == .suspended ? ended!.rawValue : "open"
      }
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
  /// When the one before was told to exit, no earlier than the request and no later than this one entered.
  package var turn: Int64?
  /// When the one before had exited, within the same times and not before `turn`.
  package var free: Int64?
  package var told: Int64?
  package var entered: Int64?
  /// When it was told to exit.
  package var dismissed: Int64?
  /// When it was over or, if it is not, when recording of its controller ended.
  package var gone: Int64?

  /// Outcome and controller in one column.
  var what: Int64 { Int64(outcome) | Int64(controller) << 5 }
}

extension VisitRow {
  init(_ visit: OpenVisit, of controller: Int32, outcome: UInt8, gone: Int64?) {
    self.init(
      seq: visit.first.seq, controller: controller, outcome: outcome, state: visit.state)
    let first = visit.first
    func since(_ point: OpenVisit.Point) -> Int64? {
      point.seq == 0 ? nil : point.time &- first.time
    }
    // What had been done before recording began has no time, unless a session before has it.
    let stood = visit.past.contains(.stood) ? first.seq : 0
    let isAskedUnseen = visit.asked.seq == stood && visit.asked.time == first.time
    asked = isAskedUnseen ? nil : since(visit.asked)
    // Nor has being told, of one that entered without.
    told =
      visit.told.seq == visit.entered.seq || visit.told.seq == stood ? nil : since(visit.told)
    entered = since(visit.entered)
    dismissed = since(visit.firstDismissed)
    self.gone = gone.map { $0 &- first.time }
    if visit.past.contains(.came), visit.from >= 0 {
      from = visit.from
      // Times of different threads may run backwards a little; these two lie between the others.
      let last = min(told ?? entered ?? .max, entered ?? .max)
      func within(_ time: Int64?) -> Int64? {
        time.map { max(asked ?? .min, min($0 &- first.time, last)) }
      }
      (turn, free) = (within(visit.turn), within(visit.free))
    }
  }
}

/// The rows that have changed since they were asked for.
struct ChangedVisits: Sendable {
  /// Without it nothing is noted.
  let isKept: Bool
  /// Of visits that are over.
  var closed: [VisitRow] = []
  /// Open ones by the places of their controllers and their slots.
  var open: [(place: Int, slot: Int32)] = []
}
