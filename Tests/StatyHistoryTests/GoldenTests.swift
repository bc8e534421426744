import Staty
import Foundation
import Migrations
import StatySQLite
import Testing

@testable import StatyHistory

/// Files of every schema there ever was, as a writer of that time left them.
///
/// `STATY_WRITE_GOLDEN=1 swift test --filter GoldenTests` writes the newest if it is not there yet. A
/// file that is there is never written again: it stands for the files that people have.
@Suite("Golden files")
struct GoldenTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("Golden").path

  static let versions = Array(1...HistoryFile.schemaVersion)

  private func copy(_ version: Int) throws -> TemporaryHistory {
    let history = try TemporaryHistory()
    let golden = Self.folder + "/v\(version).sqlite"
    if ProcessInfo.processInfo.environment["STATY_WRITE_GOLDEN"] == "1",
      !FileManager.default.fileExists(atPath: golden)
    {
      try generate(version, at: golden)
    }
    try FileManager.default.copyItem(atPath: golden, toPath: history.path)
    return history
  }

  private func generate(_ version: Int, at path: String) throws {
    let migrator = Migrator(
      applicationID: HistoryFile.applicationID,
      migrations: Array(HistoryMigrations.all.prefix(version)))
    let writer = try HistoryWriter(connection: migrator.open(path: path))
    try SmallHistory.write(writer)
    try writer.close()
  }

  @Test("each can be read as it is", arguments: versions)
  func readable(version: Int) throws {
    let history = try copy(version)
    let reader = try HistoryReader(path: history.path)
    #expect(reader.schemaVersion == version)
    #expect(try history.rows() == SmallHistory.rows)
    #expect(try history.details() == SmallHistory.details)
    #expect(try reader.names().count == 4)
    #expect(try history.damage() == nil)
  }

  @Test("each is brought to the newest schema by writing to it", arguments: versions)
  func migrated(version: Int) throws {
    let history = try copy(version)
    try history.write { writer in
      let session = try writer.beginSession(.test("u2"))
      let name = try writer.intern(name: "content")
      let mark = EventRow(seq: 11, time: 1, kind: .entered, visit: 1, state: name)
      #expect(try writer.append([mark], to: session) == 1)
    }
    #expect(try HistoryReader(path: history.path).schemaVersion == HistoryFile.schemaVersion)
    #expect(try history.rows() == SmallHistory.rows)
    #expect(
      try history.query("SELECT session, seq, state FROM history WHERE seq >= 10")
        == ["1|10|", "2|11|content"])
    #expect(try history.damage(session: 1) == nil)
    #expect(try history.damage(session: 2) == nil)
  }

  @Test(
    "a session that was never sealed may have no seal, and one that was must", arguments: versions)
  func seals(version: Int) throws {
    let history = try copy(version)
    try history.write { writer in
      let session = try writer.beginSession(.test("u2"))
      try writer.endSession(session, .clean)
    }
    try history.tamper("UPDATE session SET observed = observed + 1 WHERE id = 1")
    #expect((try history.damage(session: 1) == nil) == (version < 11))
    try history.tamper("UPDATE session SET seal = NULL, observed = observed - 1 WHERE id = 1")
    #expect((try history.damage(session: 1) == nil) == (version < 11))
    try history.tamper("UPDATE session SET seal = NULL WHERE id = 2")
    #expect(try history.damage(session: 2)?.kind == .session)
  }

  @Test("who writes to a session that was never sealed seals it as it is", arguments: versions)
  func sealedLater(version: Int) throws {
    let history = try copy(version)
    try history.write { try $0.endSession(1, .crash) }
    #expect(try history.damage(session: 1) == nil)
    try history.tamper("UPDATE session SET observed = observed + 1 WHERE id = 1")
    #expect(try history.damage(session: 1)?.kind == .session)
  }
}
