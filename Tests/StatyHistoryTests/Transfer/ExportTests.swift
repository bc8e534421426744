import Chance
import Foundation
import StatisticsOracle
import Staty
import StatyHistory
import StatyReading
import Testing

/// What hand-made histories become as text, and that nothing of them gets lost on the way.
@Suite struct ExportTests {
  @Test func `everything that an event can say comes back`() throws {
    let history = try TemporaryHistory()
    try history.write { try SmallHistory.write($0) }
    let other = try transferred(history)
    #expect(try text(other) == text(history))
    #expect(try other.details().map(\.answers) == history.details().map(\.answers))
    #expect(try equalViews(other, history))
    #expect(try other.damage() == nil)
  }

  @Test func `sessions, crashes and clocks that were set come back`() throws {
    let history = try TemporaryHistory()
    try history.write { try HandMadeHistory.write($0) }
    let other = try transferred(history)
    #expect(try equalViews(other, history))
    #expect(try text(other) == text(history))
    for session in [1, 2] as [Int64] { #expect(try other.damage(session: session) == nil) }
  }

  @Test(arguments: 0..<3)
  func `every mixture of what few events have comes back`(_ run: UInt64) throws {
    let seed = testSeed &+ run
    let history = try TemporaryHistory()
    let many = ManyDetails(seed: seed)
    try history.write { try many.write($0) }
    let other = try transferred(history)
    #expect(try text(other) == text(history), "seed \(seed)")
    #expect(try equalViews(other, history), "seed \(seed)")
    #expect(try other.damage() == nil, "seed \(seed)")
  }

  static let hostile = [
    "", " ", "=1+1", "+a", "-a", "@a", "\ta", "'a", "a,b", "a\"b", "\"", "a\nb", "a\r\nb", "\0",
    "ä",
    "a\u{308}", "🏳️‍🌈", "\u{202e}abc", "\u{1b}[31m", "\u{9b}31m", "\u{2028}", "null", "{}", "1",
    "\\u0041",
    String(repeating: "x", count: 5_000), "main#2",
  ]

  @Test func `any name comes back as it was, and none commands a terminal`() throws {
    let history = try TemporaryHistory()
    try history.write { writer in
      var opening = SessionOpening.test("'u\u{1b}")
      (opening.app, opening.appVersion, opening.os) = ("=app", "\n", "\u{202e}")
      let session = try writer.beginSession(opening)
      var rows: [EventRow] = []
      var details: [EventDetail] = []
      for (place, name) in Self.hostile.enumerated() {
        var snapshot = SnapshotRecord()
        snapshot.waiting = [SnapshotRecord.Request(visit: 1, state: name)]
        let controller = try writer.addController(
          session: session, name: place % 2 == 0 ? "main" : name, policy: name,
          snapshot: snapshot.text)
        let seq = Int64(place) + 1
        rows.append(
          EventRow(
            seq: seq, time: seq, kind: .enqueued, controller: controller, visit: 1,
            state: try writer.intern(name: name), site: try writer.intern(site: name, line: -1)))
        var detail = EventDetail(seq: seq)
        detail.note = name
        detail.payload = place % 3 == 0 ? [0xff, UInt8(place)] : Array(name.utf8)
        details.append(detail)
      }
      try writer.append(rows, details: details, to: session)
      try writer.recordLoss(first: 90, last: 91, count: 2, reason: "a\u{7}b")
      try writer.endSession(session, .clean)
    }
    let other = try transferred(history)
    #expect(try equalViews(other, history))
    #expect(try text(other) == text(history))
    #expect(try other.damage() == nil)
    let commands = try text(history).unicodeScalars.filter { scalar in
      scalar.properties.generalCategory == .control && scalar != "\n"
        || scalar.properties.generalCategory == .format
    }
    #expect(commands.isEmpty)
  }

  @Test(arguments: [
    "UPDATE event SET what = what | 31 WHERE seq = 2",
    "UPDATE event SET what = what | 224 WHERE seq = 2",
    "UPDATE detail SET refusal = 9 WHERE seq = 6",
    "UPDATE detail SET objection = 200 WHERE seq = 5",
  ])
  func `what no version has written is told, and not guessed at`(_ sql: String) throws {
    let history = try TemporaryHistory()
    try history.write { try SmallHistory.write($0) }
    try history.tamper(sql)
    try history.write { try $0.reseal(session: 1) }
    #expect(try history.damage() == nil)
    let error = #expect(throws: HistoryError.self) { try text(history) }
    guard case .damaged? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `histories of earlier schemas can be exported`() throws {
    for version in 1..<HistoryFile.schemaVersion {
      let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Golden/v\(version).sqlite")
      let place = try TemporaryHistory()
      try FileManager.default.copyItem(atPath: golden.path, toPath: place.path)
      let before = try text(place)
      let other = try transferred(place)
      #expect(try text(other) == before, "version \(version)")
      #expect(try other.damage() == nil, "version \(version)")
    }
  }

  private func transferred(_ history: TemporaryHistory) throws -> TemporaryHistory {
    let other = try TemporaryHistory()
    try other.write { writer in
      var reading = HistoryImport(into: writer)
      try reading.take(text(history).utf8)
      _ = try reading.finish()
    }
    return other
  }

  private func text(_ history: TemporaryHistory) throws -> String {
    let reader = try HistoryReader(path: history.path)
    var text = ""
    try HistoryExport(reader).write(reader.sessions()) { text += $0 }
    return text
  }

  private func equalViews(_ one: TemporaryHistory, _ other: TemporaryHistory) throws -> Bool {
    try HistoryViews.names.allSatisfy { view in
      let hexadecimal = HistoryViews.documentation.filter { $0.view == view }
        .map { "quote(\"\($0.column)\")" }.joined(separator: ", ")
      let sql = "SELECT \(hexadecimal) FROM \(view) ORDER BY 1, 2, 3"
      let (first, second) = (try one.query(sql), try other.query(sql))
      if first != second { Issue.record("\(view): \(first) and \(second)") }
      return first == second
    }
  }
}
