import Chance
import Foundation
import StatisticsOracle
import Staty
import StatyHistory
import StatyReading
import StatyRules
import StatySQLite
import Testing

@testable import StatyCommand

/// Every column of every table, as the schema lists them: if a changed value, a row that is gone or one that
/// is there twice changes what any view says, no verb accepts the file.
@Suite struct EveryColumnTests {
  private let place: Place

  private static let sound = Result {
    let place = try Place()
    try place.writeEverything()
    return try Data(contentsOf: URL(fileURLWithPath: place.path()))
  }

  init() throws { place = try Place() }

  /// The tables of the schema.
  private static let tables = [
    "alias", "anchor", "asking", "chain", "continuation", "controller", "detail", "event",
    "finding",
    "loss", "name", "route", "session", "site", "visit",
  ]
  /// The columns that the history leaves without any value to change.
  private static let untried: [String: Set<String>] = [
    // A session's rows are deleted when it ends, and no view shows them.
    "alias": ["session", "kind", "number", "id"],
    "continuation": ["session", "drawn", "shift", "t_us"],
  ]

  @Test func `every table of the schema is tried`() throws {
    try restore()
    let tables = try place.column(
      """
      SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
        AND name <> 'applied_migration' ORDER BY name
      """)
    #expect(tables == Self.tables)
    let views = try place.column(
      "SELECT name FROM sqlite_master WHERE type = 'view' AND name NOT LIKE '\\_%' ESCAPE '\\'")
    #expect(Set(views) == Set(HistoryViews.names))
    for verb in Self.verbs {
      #expect(Capture(verb + [place.path()]).status != .badData, "\(verb)")
    }
  }

  @Test(arguments: tables) func `a change that a view shows is refused`(table: String) throws {
    try restore()
    let said = try place.views()
    let columns = try Column.all(of: table, in: place)
    var tried: Set<String> = []
    var (shown, isFirst) = (0, true)
    for (column, change) in columns.flatMap({ column in column.changes.map { (column, $0) } })
      + Column.ofRows(columns).map({ (columns[0], $0) })
    {
      try restore()
      guard let changed = try? place.make(change), changed > 0 else { continue }
      tried.insert(column.name)
      // What SQLite cannot read is refused before anything is said.
      guard let now = try? place.views() else { continue }
      if now == said { continue }
      shown += 1
      #expect(place.isRefused, "\(change)")
      if !isFirst { continue }
      isFirst = false
      for verb in Self.verbs {
        let run = Capture(verb + [place.path()])
        #expect(run.status == .badData, "\(verb) after \(change): \(run.out)\(run.err)")
      }
    }
    let untried = Set(columns.map(\.name)).subtracting(tried)
    #expect(untried == Self.untried[table] ?? [])
    figure("\(shown) changes of the table \(table) that a view shows, all refused")
  }

  private static let verbs = [["check"], ["doctor"], ["export"], ["replay"]]

  private func restore() throws {
    for end in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: place.path() + end)
    }
    try Self.sound.get().write(to: URL(fileURLWithPath: place.path()))
  }
}

/// A change of one row.
private struct Change {
  let table: String
  /// The statement without its condition.
  let what: String
  /// Which row: its place in the order of the keys, in SQL.
  let which: String
}

/// A column of a table.
private struct Column {
  let table: String
  let name: String
  let type: String
  let isKey: Bool

  static func all(of table: String, in place: Place) throws -> [Column] {
    try place.column(
      "SELECT name || '|' || type || '|' || pk FROM pragma_table_info('\(table)')"
    ).map { line in
      let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      return Column(table: table, name: parts[0], type: parts[1], isKey: parts[2] != "0")
    }
  }

  /// Changes of one value each: of the first row that has one, and of the last.
  var changes: [Change] {
    let column = "\"\(name)\""
    func change(_ value: String, where condition: String, _ which: String) -> Change {
      Change(
        table: table, what: "UPDATE \(table) SET \(column) = \(value)",
        which: "SELECT \(which)(rank) FROM ranked WHERE \(condition)")
    }
    let other =
      switch type {
      case "TEXT": "\(column) || 'x'"
      case "BLOB": "CAST(\(column) || x'00' AS BLOB)"
      default: "\(column) + 1"
      }
    return [
      change(other, where: "\(column) IS NOT NULL", "min"),
      change(other, where: "\(column) IS NOT NULL", "max"),
      change("NULL", where: "\(column) IS NOT NULL", "min"),
      change("0", where: "\(column) IS NULL", "min"),
      change("0", where: "\(column) IS NOT NULL AND \(column) <> 0", "max"),
    ]
  }

  /// Rows that are gone, and rows that are there twice.
  static func ofRows(_ columns: [Column]) -> [Change] {
    let table = columns[0].table
    let keys = columns.filter(\.isKey)
    let all = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let other = columns.map { column in
      column.name == keys.last?.name ? "\"\(column.name)\" + 1000" : "\"\(column.name)\""
    }.joined(separator: ", ")
    return ["min", "max"].flatMap { which in
      ["DELETE", "INSERT INTO \(table)(\(all)) SELECT \(other)"].map { what in
        Change(
          table: table, what: "\(what) FROM \(table)", which: "SELECT \(which)(rank) FROM ranked")
      }
    }
  }
}

extension Place {
  /// The first column of a query's rows.
  fileprivate func column(_ sql: String) throws -> [String] {
    let connection = try Connection(path: path(), mode: .readOnly)
    let rows = try connection.prepare(sql)
    var lines: [String] = []
    while try rows.step() { lines.append(try rows.string(at: 0) ?? "") }
    return lines
  }

  /// Makes a change, and says how many rows it changed.
  fileprivate func make(_ change: Change) throws -> Int {
    let table = change.table
    let keys = try column(
      "SELECT '\"' || name || '\"' FROM pragma_table_info('\(table)') WHERE pk > 0 ORDER BY pk"
    ).joined(separator: ", ")
    let ranked = "SELECT *, row_number() OVER (ORDER BY \(keys)) AS rank FROM \(table)"
    let connection = try Connection(path: path(), mode: .readWrite)
    defer { try? connection.close() }
    try connection.execute("PRAGMA foreign_keys = 0; PRAGMA ignore_check_constraints = 1")
    try connection.execute(
      """
      \(change.what) WHERE (\(keys)) = (SELECT \(keys) FROM (\(ranked))
        WHERE rank = (WITH ranked AS (\(ranked)) \(change.which)))
      """)
    return connection.changes
  }

  /// Whether a reader finds that the file is not as it was stored.
  var isRefused: Bool {
    do {
      let reader = try HistoryReader(receivedAt: path())
      if try reader.firstStorageFault() != nil { return true }
      return try reader.sessions().contains {
        try ChainVerifier(reader).firstDamage(session: $0.id) != nil
      }
    } catch {
      return true
    }
  }

  /// All rows of all views.
  func views() throws -> [[String]] {
    let connection = try Connection(path: path(), mode: .readOnly)
    defer { try? connection.close() }
    return try HistoryViews.names.map { view in
      let rows = try connection.prepare("SELECT * FROM \(view)")
      var lines: [String] = []
      while try rows.step() {
        let cells = try (0..<rows.columnCount).map { column in
          rows.kind(at: column) == .blob
            ? "\(try rows.blob(at: column) ?? [])" : try rows.string(at: column) ?? "NULL"
        }
        lines.append(cells.joined(separator: "|"))
      }
      return lines
    }
  }

  /// Writes a history with something in every column: sessions that ended in each way, and one that is open.
  func writeEverything() throws {
    let writer = try HistoryWriter(path: path())
    writer.judge()
    var routes = SnapshotRecord()
    var (first, next, any) = (
      SnapshotRecord.Route(to: "loading"), SnapshotRecord.Route(to: "content"),
      SnapshotRecord.Route(to: "alert")
    )
    (next.from, any.isAnywhere) = ("loading", true)
    first.guarding = "isOnline"
    (routes.routes, routes.states) = ([first, next, any], ["loading", "content", "alert"])
    var story = Story()
    story.snapshot = routes
    story.note("half\0way")
    story.play()
    story.lose(3)
    let late = story.add(.enqueued, 7, priority: -3)
    story.add(.discarded, 7, .rejected, cause: late)
    try story.write(writer, 0)
    try details(of: writer)
    try Story.overlapping().write(writer, 2)
    var killed = Story.clean
    killed.end = .killed
    try killed.write(writer, 3)
    var open = Story.overlapping("priority")
    open.end = .open
    try open.write(writer, 4)
    try writer.close()
  }

  /// A session that continues the first, with everything that a detail can have.
  private func details(of writer: HistoryWriter) throws {
    var opening = SessionOpening(
      uuid: "00000000-0000-0000-0000-000000000001", app: "Shop", appVersion: "1.2",
      os: "Linux 6.1", pid: 42, wallTime: 1_760_000_000_000_000 + 60_000_000)
    opening.run = "00000000-0000-0000-0000-000000000000"
    let session = try writer.beginSession(opening)
    let first = try writer.sessions().first { $0.id == session }!.firstSeq
    let names = try ["loading", "content", "alert"].map { try writer.intern(name: $0) }
    let site = try writer.intern(site: "Shop/Checkout.swift", line: 41)
    let (one, other) = (
      try writer.addController(session: session, name: "checkout", policy: "queue"),
      try writer.addController(session: session, name: "menu", policy: "queue", fidelity: 2)
    )
    var rows = [
      EventRow(seq: first, time: 0, kind: .attached, controller: one),
      EventRow(
        seq: first + 1, time: 5, kind: .stood, reason: EventReason.stoodEntered.code,
        controller: one,
        visit: 1, state: names[0]),
      EventRow(seq: first + 2, time: 10, kind: .attached, controller: other),
      EventRow(
        seq: first + 3, time: 40, kind: .enqueued, controller: other, visit: 1, state: names[1],
        site: site),
      EventRow(
        seq: first + 4, time: 40, kind: .discarded, reason: EventReason.rejected.code,
        controller: other, visit: 1, state: names[1], cause: first + 3),
      EventRow(
        seq: first + 5, time: 50, kind: .enqueued, controller: one, visit: 2, state: names[1],
        site: site),
      EventRow(seq: first + 6, time: 60, kind: .resumed, controller: other),
    ]
    rows[4].set(.observed, of: first + 3)
    var stood = EventDetail(seq: first + 1)
    stood.age = 900
    var request = EventDetail(seq: first + 3)
    (request.instance, request.origin, request.priority) = (1, 1, -3)
    (request.equality, request.answers, request.asked) = (7, 1 << 63, names[1])
    (request.objection, request.payload) = (2, [0, 255, 1])
    var refusal = EventDetail(seq: first + 4)
    (refusal.refusal, refusal.refusedFrom, refusal.refusedNeeds) = (3, names[0], names[2])
    var full = EventDetail(seq: first + 5)
    (full.payload, full.note) = (EventDetail.payloadLeftOut, "x")
    var step = EventDetail(seq: first + 6)
    step.step = 3
    _ = try rows.withUnsafeBufferPointer {
      try writer.append($0, details: [stood, request, refusal, full, step], to: session)
    }
    try writer.addAnchor(session: session, time: 30, wallTime: 1_760_000_000_000_100)
    try writer.endSession(session, .suspended)
  }
}
