import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatySQLite
import Testing

/// A damaged history is renamed, and recording continues in a new one.
@Suite struct DamagedHistoryTests {
  private let place: Place

  init() throws { place = try Place() }

  /// Records some events, then overwrites a table of the history with garbage.
  private func damagedHistory(_ table: String) throws -> Data {
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("before")
    recorder.close()
    try damage(table)
    return try Data(contentsOf: URL(fileURLWithPath: place.path))
  }

  private func damage(_ table: String) throws {
    let root = try #require(
      try place.query("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'").first
        .flatMap { UInt64($0) })
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: place.path))
    try file.seek(toOffset: (root - 1) * 4096)
    try file.write(contentsOf: Data(repeating: 0xff, count: 4096))
    try file.close()
  }

  // Damage to the first table is noticed at opening, to the second when the first event is stored.
  @Test(arguments: ["name", "chain"])
  func `a damaged history is renamed, and a new one is begun`(_ table: String) throws {
    let size = try damagedHistory(table).count
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("after")
    try recorder.flush()
    let other = try #require(recorder.damagedHistory)
    #expect(try Data(contentsOf: URL(fileURLWithPath: other)).count >= size)
    recorder.mark("later")
    recorder.close()
    #expect(try place.query("SELECT count(*) FROM history WHERE kind = 'mark'") == ["2"])
    #expect(try place.firstDamage() == nil)
  }

  @Test func `the new history has the controllers that are alive`() throws {
    let recorder = try HistoryRecorder(at: place.path)
    let (alive, page) = (StateController<Page>(), Page())
    recorder.attach(to: alive, as: "alive")
    alive.bind(to: page)
    for _ in 0..<10 {
      let gone = StateController<Page>()
      recorder.attach(to: gone, as: "gone")
      gone.transition(to: Instant("first"))
    }
    try recorder.flush()
    try recorder.suspend()
    try damage("chain")
    recorder.resume()
    alive.transition(to: Instant("first"))
    try recorder.flush()
    #expect(recorder.damagedHistory != nil)
    recorder.close()
    #expect(try place.query("SELECT controllers FROM sessions") == ["1"])
    #expect(
      try place.query("SELECT controller || state FROM history WHERE kind = 'enqueued'")
        == ["alivefirst"])
  }

  @Test(arguments: ["name", "chain"])
  func `if it cannot be renamed, the recorder tries again, and the app continues`(_ table: String)
    throws
  {
    // So long that the new name would be too long.
    let name = String(repeating: "h", count: 212)
    let long = place.directory + "/" + name
    _ = try damagedHistory(table)
    try FileManager.default.moveItem(atPath: place.path, toPath: long)
    let recorder = try HistoryRecorder(at: long)
    for number in 1...3 {
      recorder.mark("after \(number)")
      #expect(throws: RecorderError.self) { try recorder.flush() }
    }
    #expect(recorder.damagedHistory == nil)
    recorder.close()
    #expect(recorder.statistics.queued == 3)
  }

  // Arithmetic with these numbers would trap at each launch.
  @Test(arguments: [
    "UPDATE session SET observed = 9223372036854775807, ended = 'open'",
    "UPDATE session SET first_seq = 9223372036854775805, ended = 'open'",
    "INSERT INTO loss VALUES (90, 9223372036854775807, 1, 'far')",
    "UPDATE event SET seq = 9223372036854775807",
  ])
  func `a history whose numbers cannot be continued is renamed too`(_ sql: String) throws {
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("before")
    recorder.close()
    let connection = try Connection(path: place.path, mode: .readWrite)
    try connection.execute("PRAGMA foreign_keys = 0; " + sql)
    try connection.close()
    let next = try HistoryRecorder(at: place.path)
    next.mark("after")
    try next.flush()
    let damaged = next.damagedHistory
    next.close()
    #expect(damaged != nil)
    #expect(try place.query("SELECT count(*) FROM history WHERE kind = 'mark'") == ["1"])
  }

  @Test func `the new history has the names and controllers that were noted before`() throws {
    let recorder = try HistoryRecorder(at: place.path)
    let page = Page()
    let controller = StateController<Page>()
    recorder.attach(to: controller, as: "screen")
    controller.bind(to: page)
    controller.transition(to: Instant("first"))
    try recorder.flush()
    try recorder.suspend()
    try damage("chain")
    recorder.resume()
    controller.transition(to: Instant("second"))
    controller.transition(to: Instant("first"))
    try recorder.flush()
    #expect(recorder.damagedHistory != nil)
    recorder.close()
    #expect(
      try place.query("SELECT DISTINCT controller, state FROM history WHERE kind = 'enqueued'")
        == ["screen|second", "screen|first"])
    #expect(try place.query("SELECT DISTINCT reason FROM losses") == ["set aside"])
    #expect(try place.unaccounted() == ["0"])
    #expect(try place.firstDamage() == nil)
  }

  // So many that several are renamed in one tick of the clock.
  @Test func `three damaged histories are kept, including the last one`() throws {
    for _ in 0..<12 {
      _ = try damagedHistory("name")
      let recorder = try HistoryRecorder(at: place.path)
      recorder.mark("after")
      try recorder.flush()
      recorder.close()
      // A reader may have left the index of the log.
      let damaged = try #require(recorder.damagedHistory)
      #expect(FileManager.default.fileExists(atPath: damaged))
      #expect(FileManager.default.createFile(atPath: damaged + "-shm", contents: nil))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: place.directory)
    let damaged = names.filter { $0.contains("-damaged-") && !$0.hasSuffix("-shm") }
    #expect(damaged.count == 3)
    #expect(names.filter { $0.hasSuffix("-shm") }.count == 3)
    #expect(!names.contains { $0.hasSuffix("-wal") })
  }

  @Test func `files of the user whose names begin alike stay`() throws {
    let own = ["copy", "copy-wal", "00000000-0000-0000-0000-000000000001 (2)", ""]
      .map { place.path + "-damaged-" + $0 }
    for path in own { try Data("own".utf8).write(to: URL(fileURLWithPath: path)) }
    for _ in 0..<5 {
      _ = try damagedHistory("name")
      let recorder = try HistoryRecorder(at: place.path)
      recorder.mark("after")
      try recorder.flush()
      #expect(recorder.damagedHistory != nil)
      recorder.close()
    }
    for path in own {
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("own".utf8))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: place.directory)
    #expect(names.count { $0.contains("-damaged-") } == own.count + 3)
  }
}
