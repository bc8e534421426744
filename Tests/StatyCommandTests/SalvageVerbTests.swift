import Foundation
import StatisticsOracle
import Staty
import StatyHistory
import StatyReading
import StatySQLite
import Testing

@testable import StatyCommand

/// `staty doctor --salvage`: what it says, what it ends with, and what it leaves alone.
@Suite struct SalvageVerbTests {
  private let place: Place

  init() throws { place = try Place() }

  /// A long story that has lost a page of events.
  private func writeDamaged() throws {
    var story = Story("queue")
    for _ in 0..<400 { story.add(.mark) }
    try place.write(.clean, story)
    // Short runs, so that the damage concerns few of them.
    let writer = try HistoryWriter(path: place.path())
    for session in try writer.sessions() { try writer.reseal(session: session.id, longestRun: 50) }
    try writer.close()
    let page = try #require(
      place.pages(of: "event").last, "the events have a page of their own, after the inner one")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: place.path()))
    try file.seek(toOffset: UInt64(page - 1) * 4_096)
    try file.write(contentsOf: Data(repeating: 0, count: 4_096))
    try file.close()
  }

  private func run(_ arguments: String...) throws -> Binary {
    try Binary(arguments, in: place.directory)
  }

  @Test func `what is left of a damaged history is checked and shown like any other`() throws {
    try writeDamaged()
    #expect(try run("check", "history.sqlite").status == 65)
    let saved = try run("doctor", "history.sqlite", "--salvage", "saved.sqlite")
    #expect(saved.status == 2, "\(saved.err)")
    #expect(saved.out.contains("1 of ") && saved.out.contains("missing"), "\(saved.out)")
    #expect(try run("check", "saved.sqlite").status == 0)
    #expect(try run("doctor", "saved.sqlite").status == 0)
    let lost = try run("query", "saved.sqlite", "SELECT reason FROM losses", "--format", "csv")
    let reasons = Set(lost.out.split(whereSeparator: \.isNewline).dropFirst())
    #expect(reasons == ["damaged"], "\(lost.out)")
    let events = try run("query", "saved.sqlite", "SELECT count(*) AS n FROM history", "--json")
    #expect(events.status == 0 && !events.out.contains(": 0"), "\(events.out)")
  }

  @Test func `other programs are told what is missing, too`() throws {
    try writeDamaged()
    let run = try run("doctor", "history.sqlite", "--json", "--salvage", "saved.sqlite")
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: Any])
    #expect(json["whole"] as? Bool == false && json["lost_pages"] as? Int == 1)
    let sessions = try #require(json["sessions"] as? [[String: Any]])
    #expect(sessions.last?["left_out"] as? Int ?? 0 > 0)
    let missing = try #require(sessions.last?["missing"] as? [[String: Any]])
    let counts = missing.map { gap in
      (gap["last_seq"] as? Int ?? 0) - (gap["first_seq"] as? Int ?? 0) + 1
    }
    #expect(counts.allSatisfy { $0 > 0 })
    #expect(sessions.last?["missing_events"] as? Int == counts.reduce(0, +))
  }

  @Test func `a whole history comes out whole`() throws {
    try place.write(.clean)
    let saved = try run("doctor", "history.sqlite", "--salvage", "saved.sqlite")
    #expect(saved.status == 0 && saved.out.contains("Nothing is missing"), "\(saved.out)")
    #expect(try run("diff", "history.sqlite", "saved.sqlite").status == 0)
  }

  @Test func `a session that no recorder would have written is left out, and that is said`() throws
  {
    try place.write(.clean)
    let writer = try HistoryWriter(path: place.path())
    _ = try writer.beginSession(
      SessionOpening(uuid: "far", app: "", appVersion: "", os: "", pid: 1, wallTime: 0))
    try writer.close()
    try place.tamper("UPDATE session SET first_seq = 9223372036854775807 WHERE uuid = 'far'")
    let saved = try run("doctor", "history.sqlite", "--salvage", "saved.sqlite")
    #expect(saved.status == 2, "\(saved.err)")
    #expect(saved.out.contains("besides"), "\(saved.out)")
    #expect(
      saved.out.contains("1 session is left out:") && !saved.out.contains("Nothing is missing"))
    let json = try run("doctor", "history.sqlite", "--json", "--salvage", "again.sqlite")
    #expect(
      json.out.contains(#""sessions_left_out": 1"#) || json.out.contains(#""sessions_left_out":1"#))
  }

  @Test func `of very many sessions the first are told, and what the rest have in sum`() throws {
    try place.write(.clean)
    let writer = try HistoryWriter(path: place.path())
    for number in 0..<100 {
      let session = try writer.beginSession(
        SessionOpening(uuid: "u\(number)", app: "", appVersion: "", os: "", pid: 1, wallTime: 0))
      try writer.endSession(session, .clean)
    }
    try writer.close()
    let saved = try run("doctor", "history.sqlite", "--salvage", "saved.sqlite")
    #expect(saved.status == 0, "\(saved.err)")
    #expect(saved.out.contains("\n  session 50 ") && !saved.out.contains("\n  session 51 "))
    #expect(saved.out.contains("51 sessions with 0 events; nothing is missing."), "\(saved.out)")
    let json = try run("doctor", "saved.sqlite", "--json", "--salvage", "again.sqlite")
    #expect(json.out.contains("\"u99\""))
  }

  @Test func `nothing is written over, and of nothing nothing is made`() throws {
    try place.write(.clean)
    try place.write(.clean, to: "other.sqlite")
    let before = try Data(contentsOf: URL(fileURLWithPath: place.path("other.sqlite")))
    #expect(try run("doctor", "history.sqlite", "--salvage", "other.sqlite").status == 73)
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.path("other.sqlite"))) == before)
    #expect(
      try run("doctor", "history.sqlite", "--salvage", "history.sqlite", "--force").status == 64)
    #expect(try run("doctor", "history.sqlite", "--salvage", "other.sqlite", "--force").status == 0)
    try Data("no history".utf8).write(to: URL(fileURLWithPath: place.path("text")))
    #expect(try run("doctor", "text", "--salvage", "saved.sqlite").status == 65)
    #expect(try run("doctor", "none", "--salvage", "saved.sqlite").status == 66)
    #expect(
      try run("doctor", "history.sqlite", "text", "--salvage", "saved.sqlite").status == 64)
    #expect(!FileManager.default.fileExists(atPath: place.path("saved.sqlite")))
  }
}

extension Place {
  /// The leaves of a table.
  fileprivate func pages(of table: String) throws -> [Int] {
    let connection = try Connection(path: path(), mode: .readOnly)
    let rows = try connection.prepare(
      "SELECT pageno FROM dbstat WHERE name = '\(table)' AND pagetype = 'leaf' ORDER BY pageno")
    var pages: [Int] = []
    while try rows.step() { pages.append(Int(rows.int64(at: 0))) }
    return pages
  }
}
