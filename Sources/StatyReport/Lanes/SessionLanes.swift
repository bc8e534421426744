import Staty
package import StatyHistory

/// The visits of a session as lanes, or a choice of them.
package struct SessionLanes {
  /// Which visits are shown.
  package struct Choice {
    /// The numbers of the controllers; by default all.
    package var controllers: Set<Int32>?
    /// The numbers of the states' names; by default all.
    package var states: Set<Int32>?
    /// The time in which the visits must have been open.
    package var times: ClosedRange<Int64> = .min ... .max
    /// The highest number of lanes; by default no limit.
    package var limit = Int.max

    package init() {}
  }

  /// A mark of the app, or missing events.
  package struct Note: Equatable, Sendable {
    package let seq: Int64
    package let time: Int64
    /// The text of the mark; `nil` for missing events.
    package let text: String?
    /// The number of missing events; 0 for a mark.
    package var lost: Int64 = 0
  }

  /// The lanes to show, by controller and number.
  package private(set) var lanes: [VisitLane] = []
  /// The number of lanes that match the choice.
  package var count: Int { gathering.count }
  /// The app's marks and the gaps, in order; not more than are readable.
  package private(set) var notes: [Note] = []
  /// The visits that were pending or in a transition when recording ended.
  package private(set) var stuck: Set<VisitLane.Key> = []
  /// The open visits with an unknown phase, with the first missing event.
  package private(set) var unknown: [VisitLane.Key: Int64] = [:]
  /// The time up to which the session is known to have run, in microseconds since it began.
  package let endTime: Int64

  private(set) var fold: VisitFold
  private let choice: Choice
  private(set) var gathering: LaneGathering
  /// The lanes of open visits.
  private var open: [VisitLane.Key: VisitLane] = [:]
  /// The `detached` events of controllers.
  private var detached: [Int32: EventRow] = [:]
  /// The missing events, with the time of the next event.
  private var gaps: [(seq: Int64, time: Int64)] = []
  private var pending: [LossRecord] = []

  private static let mostNotes = 1_000

  /// Reads the lanes of a session.
  ///
  /// If there are more than the limit, visits with errors are preferred, then visits with warnings
  /// and stuck visits, then the latest.
  ///
  /// - Parameters:
  ///   - reader: the reader of the history.
  ///   - session: the session.
  ///   - choice: which visits are shown.
  ///   - broken: the visits with findings, and whether these are errors.
  package init(
    _ reader: HistoryReader, session: Int64, _ choice: Choice,
    broken: [VisitLane.Key: Bool] = [:]
  ) throws {
    let record = try reader.session(session)
    let fold = VisitFold(record, try reader.controllers(session: session))
    self.init(fold, endTime: record.endTime, choice, broken: broken)
    var events = try SessionEvents(reader, session: record)
    _ = try events.give(to: &self)
    events.giveRest(to: &self)
    finish()
  }

  /// - Parameters:
  ///   - fold: the fold at the beginning of the session.
  ///   - endTime: the time up to which the session is known to have run.
  init(
    _ fold: VisitFold, endTime: Int64, _ choice: Choice,
    broken: [VisitLane.Key: Bool] = [:]
  ) {
    self.fold = fold
    self.choice = choice
    self.endTime = endTime
    gathering = LaneGathering(choice, broken: broken)
  }

  /// Adds the visits that are open at the end of the session.
  mutating func finish() {
    settleLosses(at: endTime)
    for (key, known) in open.sorted(by: { $0.key < $1.key }) {
      var lane = known
      if let row = detached[key.controller], row.seq > lane.steps.last?.seq ?? 0 {
        lane.detach(row)
      }
      let isUncertain = isLost(key)
      let goesOn = detached[key.controller]?.reason == EventReason.continues.code
      let isStuck = !isUncertain && !goesOn && lane.phase?.isUnderWay ?? false
      if isUncertain {
        let gap = gaps.first { $0.seq > lane.lastKnown } ?? (lane.lastKnown &+ 1, lane.lastTime)
        if gap.time <= choice.times.upperBound { unknown[key] = gap.seq }
      }
      if isStuck { stuck.insert(key) }
      gathering.add(lane, until: detached[key.controller]?.time ?? endTime, isStuck: isStuck)
    }
    lanes = gathering.chosen
  }
}

extension SessionLanes: SessionFollower {
  package mutating func take(_ row: EventRow, _ detail: EventDetail?) {
    settleLosses(at: row.time)
    if row.kind == EventKind.mark.rawValue { note(row, detail) }
    guard fold.take(row, detail) else { return }
    if row.kind == EventKind.detached.rawValue { detached[row.controller] = row }
    guard row.visit != 0 else { return }
    let left = VisitLane.Key(controller: row.controller, visit: fold.change.left)
    if left.visit != 0, var lane = open.removeValue(forKey: left) {
      lane.take(row, from: .current, to: .exited)
      gathering.add(lane)
    }
    let key = VisitLane.Key(controller: row.controller, visit: row.visit)
    let (before, after) = fold.phases
    var lane = open.removeValue(forKey: key) ?? VisitLane(key, state: row.state)
    lane.take(row, from: before, to: after)
    // A visit that has ended or is not known is complete. Its later events are a separate lane.
    guard let phase = lane.phase, !phase.isOver else { return gathering.add(lane) }
    if after != nil, !isLost(key) { lane.isKnown(at: row.seq) }
    open[key] = lane
  }

  package mutating func lose(_ loss: LossRecord) {
    fold.lose(loss)
    pending.append(loss)
  }

  /// Whether events are missing after the visit's last one.
  private func isLost(_ key: VisitLane.Key) -> Bool {
    fold.visit(key.visit, of: key.controller)?.isLost ?? true
  }

  private mutating func settleLosses(at time: Int64) {
    for loss in pending {
      gaps.append((loss.firstSeq, time))
      add(Note(seq: loss.firstSeq, time: time, text: nil, lost: loss.count))
    }
    pending.removeAll()
  }

  private mutating func note(_ row: EventRow, _ detail: EventDetail?) {
    if let meant = choice.controllers, row.controller != 0, !meant.contains(row.controller) {
      return
    }
    add(Note(seq: row.seq, time: row.time, text: detail?.note ?? ""))
  }

  private mutating func add(_ note: Note) {
    guard choice.times.contains(note.time), notes.count < Self.mostNotes else { return }
    notes.append(note)
  }
}
