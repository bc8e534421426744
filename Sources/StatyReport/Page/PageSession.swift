import Staty
import StatyHistory
import StatyReading
import StatyRules
import StatyText

/// Where an object of a session ends: how many events there are up to its last one, and that one's
/// number.
package struct PageEnd: Equatable, Sendable {
  package var count: Int64
  package var seq: Int64
}

/// A session as a JSON object for a page: the columns of its events, and further data.
struct PageSession {
  private let reader: HistoryReader
  private let session: SessionRecord
  /// The controllers that are shown.
  private let controllers: [ControllerRecord]
  private let isFiltered: Bool
  private let replay: String?
  private let outcomes: String?

  private var names = PlaceTable<String>()
  private var sites = PlaceTable<String>()
  private var columns = PageColumns()
  private var notes: [(place: Int, text: String)] = []
  /// The priorities of requests, except 0.
  private var priorities: [(place: Int, priority: Int32)] = []
  private var fold: VisitFold
  /// The places of the controllers, by their numbers.
  private let places: [Int32: Int]
  /// The names and call sites of the file, by their numbers.
  private let texts: [Int32: String]
  private let records: [Int32: SiteRecord]
  /// The fold at the beginning of the page.
  private var before: VisitFold
  /// The open visits.
  private var open: Set<VisitLane.Key> = []
  /// The events at which a controller changed whether visits can enter, with its state after them.
  private var stages: [(place: Int, controller: Int, stage: StageState)] = []
  /// The visits that ended because a track changed, by the places of events.
  private var left: [(place: Int, visit: UInt32)] = []
  /// The current states of the controllers, in their order.
  private var stage: [StageState?]
  /// The number of all visits, including those that are not on the page.
  private var visitCount = 0
  /// The number of events before the beginning of the page.
  private var leftOut: Int64
  /// The number of the last event before the beginning of the page.
  private var from: Int64 = 0
  /// Where an earlier object of the same session ended, if this one goes on from there.
  private let earlier: PageEnd?
  /// The last event so far.
  private(set) var end = PageEnd(count: 0, seq: 0)
  /// Whether the events up to the end of the earlier object are still the same.
  private(set) var isContinued = true

  init(
    _ reader: HistoryReader, _ session: SessionRecord, _ isMeant: (ControllerRecord) -> Bool,
    most: Int, replay: String? = nil, outcomes: String? = nil, after earlier: PageEnd? = nil
  ) throws {
    self.reader = reader
    self.session = session
    (self.replay, self.outcomes, self.earlier) = (replay, outcomes, earlier)
    let all = try reader.controllers(session: session.id)
    controllers = all.filter(isMeant)
    isFiltered = controllers.count < all.count
    places = Dictionary(
      controllers.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    texts = try reader.names()
    records = try reader.sites()
    fold = VisitFold(session, controllers)
    before = fold
    stage = Self.stage(controllers, fold)
    leftOut = max(0, session.stored - Int64(most))
    // The first name and the first call site mean that there is none.
    _ = names.place(of: "")
    _ = sites.place(of: "")
  }

  /// Writes the JSON object.
  mutating func write(to body: (String) throws -> Void) throws {
    let leftOut = leftOut
    var events = try SessionEvents(reader, session: session)
    _ = try events.give(to: &self)
    events.giveRest(to: &self)
    try body("{")
    try columns.write(to: body)
    try body(
      ",\"end\":\(session.endTime),\"ended\":\(EmbeddedJSON.quoted(session.ended?.rawValue))")
    try body(",\"controllers\":[\(controllersJSON)]")
    let notes = notes.map { "\"\($0.place)\":\(EmbeddedJSON.quoted($0.text))" }
    try body(",\"notes\":{\(notes.joined(separator: ","))}")
    let priorities = priorities.map { "\"\($0.place)\":\($0.priority)" }
    try body(",\"priorities\":{\(priorities.joined(separator: ","))}")
    let stages = stages.map { "[\($0.place),\($0.controller),\($0.stage.flags)]" }
    try body(",\"stages\":[\(stages.joined(separator: ","))]")
    let left = left.map { "[\($0.place),\($0.visit)]" }
    try body(",\"left\":[\(left.joined(separator: ","))]")
    try body(",\"unknown\":[\(unknown.joined(separator: ","))]")
    let checked = try HistoryCheck(reader).session(session.id)
    let findings = (checked.findings + checked.notes).filter { places[$0.controller] != nil }
    try body(",\"findings\":[\(findingsJSON(findings))]")
    // A page that is followed has the events before.
    let hasAll = !isFiltered && leftOut == 0 || earlier != nil
    let further = hasAll ? "" : try furtherJSON(findings)
    try body(",\"further\":[\(further)]")
    try body(",\"losses\":[\(try lossesJSON())]")
    try body(",\"visits\":\(visitCount)")
    try body(
      ",\"from\":\(from),\"upTo\":\(end.seq),\"leftOut\":\(leftOut),\"isFiltered\":\(isFiltered)")
    try body(",\"silent\":\(EmbeddedJSON.list(silent))")
    let meant = isFiltered ? Set(controllers.map(\.name)).sorted() : []
    let tables = PageTables(reader, session: session.id, controllers: meant)
    try body(",\"tables\":\(isFiltered && meant.isEmpty ? "[]" : try tables.json)")
    try body(",\"replay\":\(replay.map(JSONText.forPages) ?? "null")")
    try body(",\"outcomes\":\(outcomes.map(JSONText.forPages) ?? "null")")
    try body(
      ",\"names\":\(EmbeddedJSON.list(names.keys)),\"sites\":\(EmbeddedJSON.list(sites.keys))}")
  }

  /// The controllers that some rules cannot judge, because their recording does not contain enough.
  private var silent: [String] {
    controllers.filter { $0.fidelity != Fidelity.full.rawValue }.map(\.name)
  }
}

// MARK: Events

extension PageSession: SessionFollower {
  mutating func take(_ row: EventRow, _ detail: EventDetail?) {
    let phase = follow(row, detail)
    end = PageEnd(count: end.count + 1, seq: row.seq)
    if let earlier, end.count == earlier.count { isContinued = end == earlier }
    if leftOut > 0 {
      leftOut -= 1
      from = row.seq
      if leftOut == 0 { (before, stage) = (fold, Self.stage(controllers, fold)) }
      return
    }
    // Events of other controllers are skipped. Events without a controller are kept.
    let place = places[row.controller] ?? -1
    if place < 0, row.controller != 0 { return }
    if place >= 0, let now = fold.stage(of: row.controller), now.flags != stage[place]?.flags {
      stages.append((columns.count, place, now))
      stage[place] = now
    }
    if let note = detail?.note { notes.append((columns.count, note)) }
    if let detail, detail.priority != 0,
      row.kind == EventKind.enqueued.rawValue || row.kind == EventKind.stood.rawValue
    {
      priorities.append((columns.count, detail.priority))
    }
    if place >= 0, fold.change.left != 0, fold.change.row.seq == row.seq {
      left.append((columns.count, fold.change.left))
    }
    columns.add(
      row, controller: place, state: names.place(of: state(row.state)),
      site: sites.place(of: site(row)), phase: phase)
  }

  mutating func lose(_ loss: LossRecord) { fold.lose(loss) }

  /// Handles an event, even if it is not shown, and returns the number of its visit's phase after
  /// it.
  private mutating func follow(_ row: EventRow, _ detail: EventDetail?) -> Int {
    guard fold.take(row, detail) else { return 0 }
    let (begins, outcome) = (fold.change.begins, fold.change.outcome)
    if begins { visitCount += 1 }
    guard row.visit != 0 else { return 0 }
    let key = VisitLane.Key(controller: row.controller, visit: row.visit)
    if fold.change.left != 0 {
      open.remove(VisitLane.Key(controller: row.controller, visit: fold.change.left))
    }
    if let outcome {
      open.remove(key)
      return outcome >= VisitRow.Outcome.discarded
        ? 7 : outcome == VisitRow.Outcome.selfExit ? 6 : 5
    }
    guard let visit = fold.visit(row.visit, of: row.controller) else { return 0 }
    if begins { open.insert(key) }
    return visit.progress.number
  }

  private static func stage(_ controllers: [ControllerRecord], _ fold: VisitFold) -> [StageState?] {
    controllers.map { fold.stage(of: $0.id) }
  }

  private func state(_ number: Int32) -> String {
    number == 0 ? "" : texts[number] ?? "state \(number)"
  }

  private func site(_ row: EventRow) -> String {
    records[row.site].map { "\($0.file):\($0.line)" } ?? ""
  }
}

// MARK: Further data

extension PageSession {
  private var controllersJSON: String {
    mutating get {
      var parts: [String] = []
      for record in controllers {
        guard let standing = before.overview(of: record.id) else { continue }
        let open = standing.stage.detached == nil ? standing.onStage + standing.waiting : []
        let before = open.map { visit in
          "[\(visit.visit),\(names.place(of: state(visit.state))),\(visit.progress.number),"
            + "\(visit.priority),\(visit.isLost ? 1 : 0)]"
        }
        parts.append(
          "{\"name\":\(EmbeddedJSON.quoted(record.name)),\"policy\":\(EmbeddedJSON.quoted(record.policy)),"
            + "\"discipline\":\"\(record.knownDiscipline.word)\","
            + "\"flags\":\(standing.stage.flags),\"mirrors\":\(record.mirrors.map(\.pair)),"
            + "\"before\":[\(before.joined(separator: ","))]}")
      }
      return parts.joined(separator: ",")
    }
  }

  /// The open visits that may have ended, because events are missing.
  private var unknown: [String] {
    let lost = open.filter { fold.visit($0.visit, of: $0.controller)?.isLost ?? true }
    return lost.sorted().map { "[\(places[$0.controller] ?? -1),\($0.visit)]" }
  }

  private func findingsJSON(_ findings: [Finding]) -> String {
    findings.compactMap { finding in
      guard let place = places[finding.controller] else { return nil }
      return "{\"seq\":\(finding.seq),\"code\":\(EmbeddedJSON.quoted(finding.code.rawValue)),"
        + "\"severity\":\(EmbeddedJSON.quoted(finding.severity.rawValue)),\"controller\":\(place),"
        + "\"detail\":\(EmbeddedJSON.quoted(finding.detail { texts[$0] }))}"
    }.joined(separator: ",")
  }

  /// How many events are looked at for what led to findings.
  private static let mostCauses = 10_000

  /// The events that led to findings and are not on the page.
  private func furtherJSON(_ findings: [Finding]) throws -> String {
    var seen: Set<Int64> = []
    var further: [String] = []
    let all = Dictionary(
      try reader.controllers(session: session.id).map { ($0.id, $0.name) },
      uniquingKeysWith: { first, _ in first })
    for finding in findings {
      var next = finding.seq
      // A cause must be earlier than its effect, or a hostile file could cause an endless loop.
      while next != 0, seen.count < Self.mostCauses, seen.insert(next).inserted,
        let row = try reader.event(next, session: session.id)
      {
        next = row.cause < row.seq ? row.cause : 0
        let isMeant = row.controller == 0 || places[row.controller] != nil
        if isMeant, columns.count > 0, row.seq >= columns.firstSeq { continue }
        let about = row.visit == 0 ? state(row.state) : "#\(row.visit) \(state(row.state))"
        let texts = [all[row.controller] ?? "", about, site(row)].map { EmbeddedJSON.quoted($0) }
        further.append(
          "[\(row.seq),\(row.time),\(row.kind),\(row.reason),\(texts.joined(separator: ",")),\(next)]"
        )
      }
    }
    return further.joined(separator: ",")
  }

  private func lossesJSON() throws -> String {
    try reader.losses(session: session.id).map {
      "[\($0.firstSeq),\($0.lastSeq),\($0.count),\(EmbeddedJSON.quoted($0.reason))]"
    }.joined(separator: ",")
  }
}

extension OpenVisit.Phase {
  /// The number of the phase on the page; 0 means unknown.
  fileprivate var number: Int {
    switch self {
    case .waiting: 1
    case .entering: 2
    case .entered: 3
    case .exiting: 4
    }
  }
}

extension StageState {
  /// The state as bits, for the page.
  fileprivate var flags: Int {
    (isWithholding ? 1 : 0) | (isTornDown ? 2 : 0) | (detached != nil ? 4 : 0)
  }
}
