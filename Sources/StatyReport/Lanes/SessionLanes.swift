import Staty
package import StatyHistory
import StatyReplay

/// The visits of a session as lanes, or those of them that are to be seen.
package struct SessionLanes {
  /// Which visits are to be seen.
  package struct Choice {
    /// The numbers of the controllers; by default all.
    package var controllers: Set<Int32>?
    /// The numbers of the states' names; by default all.
    package var states: Set<Int32>?
    /// The time in which something has to be known of them.
    package var times: ClosedRange<Int64> = .min ... .max
    /// How many there may be; by default all.
    package var limit: Int?

    package init() {}
  }

  /// Something beside the visits.
  package struct Note: Equatable, Sendable {
    package let seq: Int64
    package let time: Int64
    /// The app's own words; none where events are missing.
    package let text: String?
    /// How many events are missing; 0 for a mark.
    package var lost: Int64 = 0
  }

  /// Those that are to be seen, by controller and number.
  package private(set) var lanes: [VisitLane] = []
  /// How many there are that were meant.
  package private(set) var count = 0
  /// The app's marks and the gaps, in order.
  package private(set) var notes: [Note] = []
  /// How many of these there are that were meant.
  private(set) var noteCount = 0
  /// Of which visits something is expected that had not come when recording ended.
  package private(set) var stuck: Set<VisitLane.Key> = []
  /// Of which open visits it is not known how far they are, and from which missing event on.
  package private(set) var unknown: [VisitLane.Key: Int64] = [:]
  /// The time of the last event, in microseconds since the session began.
  package private(set) var lastTime: Int64 = 0

  private var gaps: [(seq: Int64, time: Int64)] = []
  private static let mostNotes = 1_000

  /// The lanes of a session.
  ///
  /// If there are more than may be, those with errors come first, then those with warnings and those
  /// that are stuck, then the last.
  ///
  /// - Parameter broken: the visits of which a rule says something, and whether it is an error.
  package init(
    _ reader: HistoryReader, session: Int64, _ choice: Choice,
    broken: [VisitLane.Key: Bool] = [:]
  ) throws {
    let record = try reader.session(session)
    let controllers = try reader.controllers(session: session)
    var fold = LaneFold(controllers, names: try reader.names())
    var gathering = LaneGathering(choice, broken: broken)
    var events = try RecordedEvents(reader, session: session, through: nil)
    lastTime = record.lastTime
    while let event = events.next {
      while let loss = events.takeLoss() { lose(loss, at: event.row.time, &fold, choice) }
      if event.kind == .mark { note(event, choice) }
      if let lane = fold.take(event.row, event.detail) { gathering.add(lane) }
      try events.advance()
    }
    while let loss = events.takeLoss() { lose(loss, at: lastTime, &fold, choice) }
    for lane in fold.open {
      let end = fold.detached(of: lane.key.controller) ?? lastTime
      let isUncertain = fold.isUncertain(lane)
      let isStuck = (lane.phase?.isUnderWay ?? false) && !isUncertain
      if isUncertain, gaps[lane.gaps].time <= choice.times.upperBound {
        unknown[lane.key] = gaps[lane.gaps].seq
      }
      gathering.add(lane, until: end, isStuck: isStuck)
      if isStuck { stuck.insert(lane.key) }
    }
    lanes = gathering.chosen
    count = gathering.count
  }

  private mutating func lose(
    _ loss: LossRecord, at time: Int64, _ fold: inout LaneFold, _ choice: Choice
  ) {
    fold.lose()
    gaps.append((loss.firstSeq, time))
    add(Note(seq: loss.firstSeq, time: time, text: nil, lost: loss.count), choice)
  }

  private mutating func note(_ event: RecordedEvent, _ choice: Choice) {
    if let meant = choice.controllers, event.row.controller != 0,
      !meant.contains(event.row.controller)
    {
      return
    }
    add(
      Note(seq: event.row.seq, time: event.row.time, text: event.detail?.note ?? ""), choice)
  }

  private mutating func add(_ note: Note, _ choice: Choice) {
    guard choice.times.contains(note.time) else { return }
    noteCount += 1
    if notes.count < Self.mostNotes { notes.append(note) }
  }
}
