import Staty
import StatyHistory
import StatyRules

/// One session as a page holds it: columns of its events, and what else is known of it, as one object
/// of JSON.
struct PageSession {
  private let reader: HistoryReader
  private let session: SessionRecord
  /// The controllers that are shown.
  private let controllers: [ControllerRecord]
  private let isFiltered: Bool
  private let replay: PageReplay?

  private var names = PlaceTable<String>()
  private var sites = PlaceTable<String>()
  private var columns = PageColumns()
  private var notes: [(place: Int, text: String)] = []
  /// How urgent requests are, but for those that are no more so than others.
  private var priorities: [(place: Int, priority: Int32)] = []
  private var fold: VisitFold
  /// The places of the controllers by their numbers.
  private let places: [Int32: Int]
  /// What the file's numbers of names and places stand for.
  private let texts: [Int32: String]
  private let records: [Int32: SiteRecord]
  /// The fold as it was when the page begins.
  private var before: VisitFold
  /// The visits that have begun and not ended.
  private var open: Set<VisitLane.Key> = []
  /// Where a controller changed whether it lets anything enter: from which event on, which controller,
  /// and how it is then.
  private var stages: [(place: Int, controller: Int, stage: StageState)] = []
  /// Which visits ended since a track moved on, by the places of events.
  private var left: [(place: Int, visit: UInt32)] = []
  /// How that is now, in the order of the controllers.
  private var stage: [StageState?]
  /// How many visits there are, those that are not in the page among them.
  private var visitCount = 0
  /// How many events are left out before the page begins.
  private var leftOut: Int64

  init(
    _ reader: HistoryReader, _ session: SessionRecord, _ isMeant: (ControllerRecord) -> Bool,
    most: Int, replay: PageReplay?
  ) throws {
    self.reader = reader
    self.session = session
    self.replay = replay
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
    // The first name and the first place stand for none.
    _ = names.place(of: "")
    _ = sites.place(of: "")
  }

  /// Writes the object.
  mutating func write(to body: (String) throws -> Void) throws {
    let leftOut = leftOut
    var events = try SessionEvents(reader, session: session)
    _ = try events.give(to: &self)
    events.giveRest(to: &self)
    try body("{")
    try columns.write(to: body)
    try body(
      ",\"end\":\(session.lastTime),\"ended\":\(EmbeddedJSON.quoted(session.ended?.rawValue))")
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
    try body(",\"findings\":[\(try findingsJSON())]")
    try body(",\"losses\":[\(try lossesJSON())]")
    try body(",\"visits\":\(visitCount)")
    try body(",\"leftOut\":\(leftOut),\"isFiltered\":\(isFiltered)")
    try body(",\"silent\":\(EmbeddedJSON.list(silent))")
    let meant = isFiltered ? Set(controllers.map(\.name)).sorted() : []
    let tables = PageTables(reader, session: session.id, controllers: meant)
    try body(",\"tables\":\(isFiltered && meant.isEmpty ? "[]" : try tables.json)")
    try body(",\"replay\":\(replay?.json ?? "null")")
    try body(
      ",\"names\":\(EmbeddedJSON.list(names.keys)),\"sites\":\(EmbeddedJSON.list(sites.keys))}")
  }

  /// The controllers that some rules cannot judge, because their recording says too little.
  private var silent: [String] {
    controllers.filter { $0.fidelity != Fidelity.full.rawValue }.map(\.name)
  }
}

// MARK: Events

extension PageSession: SessionFollower {
  mutating func take(_ row: EventRow, _ detail: EventDetail?) {
    let phase = follow(row, detail)
    if leftOut > 0 {
      leftOut -= 1
      if leftOut == 0 { (before, stage) = (fold, Self.stage(controllers, fold)) }
      return
    }
    // A controller of another session has no place here, and what has none is for all.
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
    let site = records[row.site].map { "\($0.file):\($0.line)" } ?? ""
    columns.add(
      row, controller: place, state: names.place(of: state(row.state)), site: sites.place(of: site),
      phase: phase)
  }

  mutating func lose(_ loss: LossRecord) { fold.lose(loss) }

  /// Takes in an event, be it shown or not; how far its visit is after it.
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
}

// MARK: What else there is

extension PageSession {
  private var controllersJSON: String {
    mutating get {
      var parts: [String] = []
      for record in controllers {
        guard let standing = before.overview(of: record.id) else { continue }
        let open = standing.stage.detached == nil ? standing.onStage + standing.waiting : []
        let before = open.map { visit in
          "[\(visit.visit),\(names.place(of: state(visit.state))),\(visit.progress.number),"
            + "\(visit.priority)]"
        }
        parts.append(
          "{\"name\":\(EmbeddedJSON.quoted(record.name)),\"policy\":\(EmbeddedJSON.quoted(record.policy)),"
            + "\"discipline\":\"\(record.knownDiscipline.word)\","
            + "\"flags\":\(standing.stage.flags),\"before\":[\(before.joined(separator: ","))]}")
      }
      return parts.joined(separator: ",")
    }
  }

  /// The open visits that may be over, since events are missing.
  private var unknown: [String] {
    let lost = open.filter { fold.visit($0.visit, of: $0.controller)?.isLost ?? true }
    return lost.sorted().map { "[\(places[$0.controller] ?? -1),\($0.visit)]" }
  }

  private func findingsJSON() throws -> String {
    let findings = try HistoryCheck(reader).session(session.id).findings
    return findings.compactMap { finding in
      guard let place = places[finding.controller] else { return nil }
      return "{\"seq\":\(finding.seq),\"code\":\(EmbeddedJSON.quoted(finding.code.rawValue)),"
        + "\"severity\":\(EmbeddedJSON.quoted(finding.severity.rawValue)),\"controller\":\(place),"
        + "\"detail\":\(EmbeddedJSON.quoted(finding.detail { texts[$0] }))}"
    }.joined(separator: ",")
  }

  private func lossesJSON() throws -> String {
    try reader.losses(session: session.id).map {
      "[\($0.firstSeq),\($0.lastSeq),\($0.count),\(EmbeddedJSON.quoted($0.reason))]"
    }.joined(separator: ",")
  }
}

extension OpenVisit.Phase {
  /// The phase's number on the page, where 0 says that nothing is known.
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
  /// What the page has to know of it, as bits.
  fileprivate var flags: Int {
    (isWithholding ? 1 : 0) | (isTornDown ? 2 : 0) | (detached != nil ? 4 : 0)
  }
}
