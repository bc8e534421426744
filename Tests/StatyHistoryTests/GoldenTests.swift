import Staty
import Foundation
import Migrations
import StatySQLite
import Testing

@testable import StatyHistory
import StatyReading

/// Files of every schema there ever was, as a writer of that time left them; that of schema 1 has tables
/// and no views.
///
/// `STATY_WRITE_GOLDEN=1 swift test --filter GoldenTests` writes those that are not there yet. A file
/// that is there is never written again: it stands for the files that people have.
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

  @Test("each is read, and stays as it is", arguments: versions)
  func readable(version: Int) throws {
    let history = try copy(version)
    let before = try Data(contentsOf: URL(fileURLWithPath: history.path))
    for reader in [
      try HistoryReader(path: history.path), try HistoryReader(receivedAt: history.path),
      try HistoryReader(receivedAt: history.path, hasLog: false),
    ] {
      #expect(reader.schemaVersion == version)
      #expect(try reader.names().count == 4)
      #expect(try reader.rows(ViewQuery("visits")).count == 2)
    }
    #expect(try history.rows() == SmallHistory.rows)
    #expect(try history.details() == SmallHistory.details)
    #expect(try history.damage() == nil)
    #expect(try Data(contentsOf: URL(fileURLWithPath: history.path)) == before)
  }

  @Test("one of an older schema that is being recorded into is refused", arguments: versions)
  func live(version: Int) throws {
    let history = try copy(version)
    let error = version < HistoryFile.schemaVersion ? HistoryError.older(schema: version) : nil
    func refusal(_ open: () throws -> HistoryReader) -> HistoryError? {
      do {
        _ = try open()
        return nil
      } catch {
        return error as? HistoryError
      }
    }
    #expect(refusal { try HistoryReader(liveAt: history.path) } == error)
    let own = try Connection(path: history.path, mode: .readOnly)
    try own.configureForReading()
    #expect(refusal { try HistoryReader(ownFile: own) } == error)
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
}
