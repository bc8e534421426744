import Staty
import StatyHistory
import StatyReplay
import StatyReport
import StatyRules

/// What happened around a finding or an event, and what is to blame for it.
struct FindingScene {
  /// What is asked about.
  let report: WhyReport
  let guilty: EventRow
  /// What is to blame; `nil` if nothing recorded is.
  let cause: EventRow?
  /// The events that are drawn, in order.
  let rows: [EventRow]
  /// The numbers of events that are not drawn: the first of each gap between the drawn ones.
  let gaps: [Int64]
  let lanes: [VisitLane]

  var words: EventWords { report.words }
  var finding: Finding? { report.asked.question.finding }

  // More are not legible.
  private static let (mostRows, mostLanes) = (14, 12)
  /// How many numbers around an important event are looked at.
  private static let widest: Int64 = 100

  init(_ report: WhyReport, _ reader: HistoryReader) throws {
    let (chain, session) = (report.why.chain, report.asked.session.id)
    guard let guilty = chain.last else {
      throw Failure(
        status: .badData, message: "Event \(report.asked.question.seq) cannot be read.",
        advice: "Take another copy of the history.")
    }
    let finding = report.asked.question.finding
    let context = try finding.flatMap { try FindingContext($0, in: reader, followers: 3) }
    let causes = chain.filter { !report.why.beside.contains($0.seq) }
    let cause = try Self.cause(of: guilty, causes, finding, context, reader)
    let important =
      [guilty, cause].compactMap(\.self) + (context?.newer ?? []) + (context?.both ?? [])
      + (context?.instead ?? []) + chain
    (rows, gaps) = try Self.rows(around: important, reader, session: session)
    lanes = try Self.lanes(rows, guilty, cause, reader, session: session)
    (self.report, self.guilty, self.cause) = (report, guilty, cause)
  }

  /// The event to blame: the first cause, or of a finding that names another visit what that one did
  /// last.
  private static func cause(
    of guilty: EventRow, _ chain: [EventRow], _ finding: Finding?, _ context: FindingContext?,
    _ reader: HistoryReader
  ) throws -> EventRow? {
    let first = chain.count > 1 ? chain.first : nil
    // The request of the same visit tells nothing about what went wrong.
    if let first, first.controller != guilty.controller || first.visit != guilty.visit {
      return first
    }
    if let last = context?.instead.last { return last }
    guard let finding, finding.otherVisit != 0 else { return first }
    var last: EventRow?
    // A pending visit waits for what comes after its request, too.
    let isPending = guilty.kind == EventKind.enqueued.rawValue
    let events = try reader.events(session: finding.session)
    while let row = try events.next(), isPending || row.seq < guilty.seq {
      guard row.controller == guilty.controller, row.visit == finding.otherVisit else { continue }
      if row.seq < guilty.seq {
        last = row
      } else if row.kind == EventKind.entered.rawValue {
        return row
      }
    }
    return last ?? first
  }

  private static func isDrawn(_ row: EventRow) -> Bool {
    row.visit != 0 || row.kind == EventKind.received.rawValue
  }

  /// The events that are drawn: the important ones, then what is nearest to them.
  private static func rows(
    around important: [EventRow], _ reader: HistoryReader, session: Int64
  ) throws -> ([EventRow], gaps: [Int64]) {
    let controllers = Set(important.map(\.controller))
    var chosen: [Int64: EventRow] = [:]
    for row in important where chosen.count < mostRows { chosen[row.seq] = row }
    var near: [Int64: (row: EventRow, distance: Int64)] = [:]
    for row in chosen.values {
      let events = try reader.events(
        session: session, from: max(1, row.seq &- widest), through: row.seq &+ widest)
      while let other = try events.next() {
        guard controllers.contains(other.controller), isDrawn(other) else { continue }
        let distance = min(
          Int64(clamping: (other.seq &- row.seq).magnitude), near[other.seq]?.distance ?? .max)
        near[other.seq] = (other, distance)
      }
    }
    let nearest = near.values.filter { chosen[$0.row.seq] == nil }
      .sorted { ($0.distance, $0.row.seq) < ($1.distance, $1.row.seq) }
    for (row, _) in nearest.prefix(mostRows - chosen.count) { chosen[row.seq] = row }
    let rows = chosen.values.sorted { $0.seq < $1.seq }
    let gaps = zip(rows, rows.dropFirst()).compactMap { one, next -> Int64? in
      // Beyond what was looked at, something is assumed to be.
      let isFar = UInt64(bitPattern: next.seq &- one.seq) > UInt64(widest)
      let isSkipped = near.keys.contains { $0 > one.seq && $0 < next.seq }
      return isFar || isSkipped ? one.seq &+ 1 : nil
    }
    return (rows, gaps)
  }

  /// The lanes of the visits with drawn events, and of those that are open all the while.
  private static func lanes(
    _ rows: [EventRow], _ guilty: EventRow, _ cause: EventRow?, _ reader: HistoryReader,
    session: Int64
  ) throws -> [VisitLane] {
    let keys = Set(
      [guilty, cause].compactMap(\.self).map {
        VisitLane.Key(controller: $0.controller, visit: $0.visit)
      })
    var choice = SessionLanes.Choice()
    choice.controllers = Set(rows.map(\.controller))
    choice.times = rows[0].time...max(rows[0].time, rows[rows.count - 1].time)
    choice.limit = 64
    let found = try SessionLanes(
      reader, session: session, choice,
      broken: Dictionary(keys.map { ($0, true) }) { first, _ in first })
    let seqs = Set(rows.map(\.seq))
    let lanes = found.lanes.filter { lane in
      lane.steps.contains { seqs.contains($0.seq) }
        || lane.steps.last { $0.seq <= rows[0].seq }?.phase?.isOver == false
    }
    let first = lanes.filter { keys.contains($0.key) }
    let others = lanes.filter { !keys.contains($0.key) }.suffix(mostLanes - first.count)
    return (first + others).sorted { $0.key < $1.key }
  }
}

extension Why.Question {
  /// The finding that it is about, if it is about one.
  fileprivate var finding: Finding? {
    if case .finding(let finding) = self { finding } else { nil }
  }
}
