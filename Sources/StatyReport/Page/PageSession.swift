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
  /// How many of its events are shown at most, the last ones.
  private let most: Int
  private let replay: PageReplay?

  private var names = PlaceTable<String>()
  private var sites = PlaceTable<String>()
  private var columns = PageColumns()
  private var notes: [(place: Int, text: String)] = []
  /// How urgent requests are, but for those that are no more so than others.
  private var priorities: [(place: Int, priority: Int32)] = []
  private var standing: [Int32: FollowedVisits]
  /// Who stood where when the page begins.
  private var before: [Int32: FollowedVisits] = [:]
  /// How many visits there are, those that are not in the page among them.
  private var visitCount = 0

  init(
    _ reader: HistoryReader, _ session: SessionRecord, _ isMeant: (ControllerRecord) -> Bool,
    most: Int, replay: PageReplay?
  ) throws {
    self.reader = reader
    self.session = session
    self.most = most
    self.replay = replay
    let all = try reader.controllers(session: session.id)
    controllers = all.filter(isMeant)
    isFiltered = controllers.count < all.count
    standing = Dictionary(
      controllers.map { ($0.id, FollowedVisits(SnapshotRecord($0.snapshot))) },
      uniquingKeysWith: { first, _ in first })
    // The first name and the first place stand for none.
    _ = names.place(of: "")
    _ = sites.place(of: "")
  }

  /// Writes the object.
  mutating func write(to body: (String) throws -> Void) throws {
    let leftOut = try readEvents()
    try body("{")
    try columns.write(to: body)
    try body(
      ",\"end\":\(session.lastTime),\"ended\":\(EmbeddedJSON.quoted(session.ended?.rawValue))")
    try body(",\"controllers\":[\(controllersJSON)]")
    let notes = notes.map { "\"\($0.place)\":\(EmbeddedJSON.quoted($0.text))" }
    try body(",\"notes\":{\(notes.joined(separator: ","))}")
    let priorities = priorities.map { "\"\($0.place)\":\($0.priority)" }
    try body(",\"priorities\":{\(priorities.joined(separator: ","))}")
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

extension PageSession {
  /// Reads the events; how many were left out.
  private mutating func readEvents() throws -> Int64 {
    let texts = try reader.names()
    let records = try reader.sites()
    let places = Dictionary(
      controllers.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    let details = try reader.details(session: session.id)
    var detail = try details.next()
    let events = try reader.events(session: session.id)
    var leftOut = max(0, session.stored - Int64(most))
    let count = leftOut
    visitCount = standing.values.reduce(0) { $0 + $1.open.count }
    before = standing
    while let row = try events.next() {
      while let known = detail, known.seq < row.seq { detail = try details.next() }
      let own = detail?.seq == row.seq ? detail : nil
      follow(row, own, texts)
      if leftOut > 0 {
        leftOut -= 1
        if leftOut == 0 { before = standing }
        continue
      }
      // Who is a controller of another session has no place here, and what has none is for all.
      let place = places[row.controller] ?? -1
      if place < 0, row.controller != 0 { continue }
      if let note = own?.note { notes.append((columns.count, note)) }
      if let own, own.priority != 0, row.kind == EventKind.enqueued.rawValue {
        priorities.append((columns.count, own.priority))
      }
      let state = row.state == 0 ? "" : texts[row.state] ?? "state \(row.state)"
      let site = records[row.site].map { "\($0.file):\($0.line)" } ?? ""
      columns.add(
        row, controller: place, state: names.place(of: state), site: sites.place(of: site))
    }
    return count
  }

  /// Takes in an event, be it shown or not: who is there afterwards, and how many there were, is.
  private mutating func follow(
    _ row: EventRow, _ detail: EventDetail?, _ texts: [Int32: String]
  ) {
    guard standing[row.controller] != nil else { return }
    standing[row.controller]!.hear(row)
    guard row.visit != 0 else { return }
    let step = standing[row.controller]!.take(
      row, state: texts[row.state] ?? "state \(row.state)",
      priority: row.kind == EventKind.enqueued.rawValue ? detail?.priority : nil)
    switch step {
    case .begins, .passes: visitCount += 1
    default: break
    }
  }
}

// MARK: What else there is

extension PageSession {
  private var controllersJSON: String {
    mutating get {
      var parts: [String] = []
      for record in controllers {
        let visits = before[record.id]
        let open = (visits?.open ?? [:]).sorted { $0.key < $1.key }
        let before = open.map { visit, known in
          "[\(visit),\(names.place(of: known.state)),\(known.phase.number),\(known.heard),"
            + "\(known.priority)]"
        }
        parts.append(
          "{\"name\":\(EmbeddedJSON.quoted(record.name)),\"policy\":\(EmbeddedJSON.quoted(record.policy)),"
            + "\"isWithholding\":\(visits?.stage.isWithholding ?? false),"
            + "\"isTornDown\":\(visits?.stage.isTornDown ?? false),"
            + "\"before\":[\(before.joined(separator: ","))]}")
      }
      return parts.joined(separator: ",")
    }
  }

  private func findingsJSON() throws -> String {
    let texts = try reader.names()
    let places = Dictionary(
      controllers.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
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

extension LanePhase {
  /// The phase's number on the page.
  fileprivate var number: Int {
    switch self {
    case .pending: 0
    case .entering: 1
    case .current: 2
    case .exiting: 3
    case .exited, .discarded: 4
    }
  }
}
