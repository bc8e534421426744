import Foundation
import Staty
import StatySQLite
import Testing

@testable import StatyHistory
@testable import StatyReading

@Suite("Histories that came from elsewhere")
struct ReceivedHistoryTests {
  let history: TemporaryHistory

  init() throws {
    history = try TemporaryHistory()
    try history.write(SmallHistory.write)
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: history.directory).sorted() }
  }

  private func refusal(_ path: String? = nil) -> HistoryError? {
    do throws(HistoryError) {
      _ = try HistoryReader(receivedAt: path ?? history.path)
      return nil
    } catch {
      return error
    }
  }

  /// A copy as of a killed process: what came last, session "u2", is in its log alone.
  private func copyWithLog() throws -> TemporaryHistory {
    let writer = try HistoryWriter(path: history.path)
    _ = try writer.beginSession(.test("u2"))
    let place = try TemporaryHistory()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: history.path + suffix, toPath: place.path + suffix)
    }
    try writer.close()
    return place
  }

  @Test func `a history without a log is read in place, and no other file is written`() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: history.path))
    let reader = try HistoryReader(receivedAt: history.path)
    #expect(try reader.sessions().count == 1)
    #expect(try ChainVerifier(reader).firstDamage(session: 1) == nil)
    #expect(try files == ["history.sqlite"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: history.path)) == before)
  }

  @Test func `what is in the log is seen, and the copy goes with its reader`() throws {
    let place = try copyWithLog()
    var reader: HistoryReader? = try HistoryReader(receivedAt: place.path)
    #expect(try reader?.sessions().map(\.uuid) == ["u1", "u2"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.directory).sorted()
        == ["history.sqlite", "history.sqlite-wal"])
    reader = nil
  }

  @Test func `a log that claims far more than it holds is refused`() throws {
    let place = try copyWithLog()
    #expect(truncate(place.path + "-wal", 4 << 40) == 0)
    let error = #expect(throws: HistoryError.self) { try HistoryReader(receivedAt: place.path) }
    #expect("\(try #require(error))".contains("its log claims 4398046511104 bytes and holds "))
  }

  @Test func `what is no log, or none of this file, is not read`() throws {
    let place = try copyWithLog()
    try Data([0x37, 0x7f, 6, 0x90] + [UInt8](repeating: 0x55, count: 99_999))
      .write(to: URL(fileURLWithPath: place.path + "-wal"))
    #expect(try HistoryReader(receivedAt: place.path).sessions().map(\.uuid) == ["u1"])
  }

  @Test func `a log that leads elsewhere is refused`() throws {
    #expect(symlink("/etc/passwd", history.path + "-wal") == 0)
    #expect(refusal() == .damaged("its log is no regular file"))
  }

  @Test func `a journal next to the history is not obeyed`() throws {
    try Data("anything".utf8).write(to: URL(fileURLWithPath: history.path + "-journal"))
    #expect(refusal() == nil)
    #expect(try files == ["history.sqlite", "history.sqlite-journal"])
  }

  @Test(
    "a schema that differs by a word is refused by name",
    arguments: [
      ("CREATE TABLE extra(x)", "schema \(HistoryFile.schemaVersion) has no table \"extra\""),
      ("DROP VIEW losses", "the view \"losses\" is missing"),
      (
        "DROP VIEW losses; CREATE VIEW losses AS SELECT randomblob(900000000) AS session",
        "the view \"losses\" is not the one of schema \(HistoryFile.schemaVersion)"
      ),
      // A sign that Swift takes for the letter, and SQLite does not.
      (
        """
        PRAGMA writable_schema = 1;
        UPDATE sqlite_schema SET sql = replace(sql, ';', '\u{37e}') WHERE name = 'session'
        """, "the table \"session\" is not the one of schema \(HistoryFile.schemaVersion)"
      ),
      (
        "CREATE TRIGGER \"a\u{1b}[2J\" AFTER INSERT ON event BEGIN SELECT 1; END",
        "schema \(HistoryFile.schemaVersion) has no trigger \"a\\u{1b}[2J\""
      ),
    ])
  func schema(change: String, words: String) throws {
    try history.tamper(change)
    #expect(refusal() == .damaged(words))
  }

  @Test func `files of every older schema are read`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden")
    for version in 1...HistoryFile.schemaVersion {
      let place = try TemporaryHistory()
      try FileManager.default.copyItem(
        atPath: folder.appendingPathComponent("v\(version).sqlite").path, toPath: place.path)
      #expect(try HistoryReader(receivedAt: place.path).schemaVersion == version)
    }
  }

  @Test func `what is no history is refused for what it is`() throws {
    let place = try TemporaryHistory()
    try Data().write(to: URL(fileURLWithPath: place.path))
    #expect(refusal(place.path) == .empty)
    try history.tamper("PRAGMA user_version = 99")
    #expect(refusal() == .refused(.newer(found: 99, known: HistoryFile.schemaVersion)))
    try history.tamper("PRAGMA application_id = 7")
    #expect(
      refusal() == .refused(.otherApplication(found: 7, expected: HistoryFile.applicationID)))
    try history.tamper("PRAGMA application_id = 0")
    #expect(refusal() == .refused(.unmarked))
  }

  @Test func `a file that is nearly all holes is refused before it is opened`() throws {
    let handle = try #require(FileHandle(forWritingAtPath: history.path))
    try handle.truncate(atOffset: 3 << 40)
    try handle.close()
    guard case .damaged(let words) = refusal() else {
      Issue.record("it was opened")
      return
    }
    #expect(words.hasPrefix("it claims 3298534883328 bytes"))
  }

  @Test func `what is a hole is not looked at byte by byte, nor filled in the copy`() throws {
    let place = try copyWithLog()
    #expect(truncate(place.path, 1 << 30) == 0)
    // Behind a hole there may be more.
    let handle = try #require(FileHandle(forWritingAtPath: place.path))
    try handle.seek(toOffset: 1 << 29)
    try handle.write(contentsOf: [7])
    try handle.close()
    let copy = try PrivateCopy(of: place.path)
    var status = stat()
    #expect(stat(copy.path, &status) == 0)
    #expect(status.st_size == 1 << 30)
    #expect(status.st_blocks < 16_384)
    let copied = try #require(FileHandle(forReadingAtPath: copy.path))
    try copied.seek(toOffset: (1 << 29) - 1)
    #expect(try copied.read(upToCount: 3) == Data([0, 7, 0]))
    // So the file is refused.
    #expect("\(try #require(refusal(place.path)))".contains("it claims 1073741824 bytes"))
  }

  @Test func `one that is being recorded into is read where it is`() throws {
    let writer = try HistoryWriter(path: history.path)
    let session = try writer.beginSession(.test("u2"))
    let reader = try HistoryReader(liveAt: history.path)
    #expect(try reader.sessions().count == 2)
    let (names, sites) = (try reader.names(), try reader.sites())
    try reader.consistently {
      #expect(try reader.session(session).lastSeq == nil)
      #expect(try reader.names() == names && reader.sites() == sites)
      let (state, site) = (
        try writer.intern(name: "new"), try writer.intern(site: "New.swift", line: 1)
      )
      try writer.append(
        [EventRow(seq: 11, time: 1, kind: .mark, state: state, site: site)], to: session)
      let nested = try reader.consistently { try reader.session(session).lastSeq }
      #expect(nested == nil)
      #expect(try reader.names() == names && reader.sites() == sites)
    }
    // What was read of that state is not taken for the next.
    #expect(try reader.session(session).lastSeq == 11)
    #expect(try reader.names().count == names.count + 1)
    #expect(try reader.sites().count == sites.count + 1)
    #expect(try reader.consistently { try reader.names().count } == names.count + 1)
    #expect(try ChainVerifier(reader).firstDamage(session: session) == nil)
  }
}
