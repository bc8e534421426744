import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatySQLite
import Testing

/// Paths and files at which a recorder can be opened, and the errors for others.
@Suite struct RecorderOpeningTests {
  @Test(
    arguments: [
      "with spaces.sqlite", "it's \"quoted\".sqlite", "file:history.sqlite", "a?mode=ro#x%20.db",
      "нижний-😀.sqlite",
    ])
  func `a file can have any name`(name: String) throws {
    let place = try Place(named: name)
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("here")
    recorder.close()
    #expect(try place.query("SELECT kind FROM history") == ["mark"])
    #expect(FileManager.default.fileExists(atPath: place.path))
  }

  @Test(arguments: [Int.min, 0, 1, 100])
  func `any number for the option eventsPerThread works`(count: Int)
    throws
  {
    let place = try Place()
    var options = RecorderOptions()
    options.eventsPerThread = count
    let recorder = try HistoryRecorder(at: place.path, options: options)
    recorder.mark("here")
    recorder.close()
    #expect(try place.query("SELECT kind FROM history") == ["mark"])
  }

  @Test func `the error for a missing directory names it`() throws {
    let place = try Place()
    let path = place.directory + "/missing/history.sqlite"
    let error = #expect(throws: RecorderError.self) { try HistoryRecorder(at: path) }
    #expect(error?.description.contains("No such file or directory") == true)
  }

  @Test func `a directory at the path is refused`() throws {
    let place = try Place()
    try FileManager.default.createDirectory(
      atPath: place.path, withIntermediateDirectories: false)
    #expect(throws: RecorderError.self) { try HistoryRecorder(at: place.path) }
  }

  @Test(
    arguments: [
      "", ".", "..", "a\0b", "link", "pipe", String(repeating: "n", count: 230),
    ])
  func `a path that SQLite cannot open is refused at once, and no file is created`(name: String)
    throws
  {
    let place = try Place()
    #expect(symlink(place.path, place.directory + "/link") == 0)
    #expect(mkfifo(place.directory + "/pipe", 0o600) == 0)
    #expect(throws: RecorderError.self) {
      try HistoryRecorder(at: name.isEmpty || name == "." ? name : place.directory + "/" + name)
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.directory).sorted()
        == ["link", "pipe"])
  }

  @Test func `a file that is not a database is refused and not changed`() throws {
    let place = try Place()
    let text = Data(String(repeating: "not a database ", count: 100).utf8)
    try text.write(to: URL(fileURLWithPath: place.path))
    #expect(throws: RecorderError.notAHistory(path: place.path)) {
      try HistoryRecorder(at: place.path)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)) == text)
    #expect(!FileManager.default.fileExists(atPath: place.path + "-ring"))
  }

  @Test func `a file that a loss of power left half created is created again`() throws {
    let half = try Place(named: "half.sqlite")
    let connection = try Connection(path: half.path, mode: .readWriteCreate)
    try connection.execute("PRAGMA cache_size = 1; BEGIN; CREATE TABLE filler (bytes)")
    try connection.execute("INSERT INTO filler VALUES (zeroblob(100000))")
    let place = try Place()
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: half.path + suffix, toPath: place.path + suffix)
    }
    try connection.execute("ROLLBACK")
    try connection.close()
    let file = try #require(FileHandle(forWritingAtPath: place.path))
    try file.write(contentsOf: Data(repeating: 0xA5, count: 600))
    try file.close()
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("here")
    try recorder.flush()
    recorder.close()
    #expect(try place.query("SELECT kind FROM history") == ["mark"])
  }

  @Test(arguments: [0, 40, 64, 70])
  func `a header torn by a loss of power is read from the log`(place: Int) throws {
    let (live, torn) = (try Place(named: "live.sqlite"), try Place())
    let first = try HistoryRecorder(at: live.path)
    first.mark("before")
    try first.flush()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: live.path + suffix, toPath: torn.path + suffix)
    }
    first.close()
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: torn.path))
    try file.seek(toOffset: UInt64(place))
    try file.write(contentsOf: Data(repeating: 0xA5, count: 600))
    try file.close()
    let recorder = try HistoryRecorder(at: torn.path)
    recorder.mark("here")
    try recorder.flush()
    #expect(recorder.damagedHistory == nil)
    recorder.close()
    #expect(try torn.query("SELECT kind FROM history") == ["mark", "mark"])
  }

  /// SQLite would roll it back, and remove the file that it names.
  @Test func `a journal that names another file is refused, and that file stays`() throws {
    let place = try Place()
    try HistoryRecorder(at: place.path).close()
    let victim = place.directory + "/victim"
    try Data("mine".utf8).write(to: URL(filePath: victim))
    let name = Array(victim.utf8)
    var journal: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    let mark = journal
    func number(_ value: Int) -> [UInt8] {
      (0..<4).reversed().map { UInt8(value >> ($0 * 8) & 255) }
    }
    // No page, a nonce, one page before, sectors of 512 bytes, pages of 4,096.
    journal += number(0) + number(7) + number(1) + number(512) + number(4_096)
    journal += [UInt8](repeating: 0, count: 512 - journal.count)
    journal += number(0x4000_0000 / 4_096 + 1) + name + number(name.count)
    journal += number(name.reduce(0) { $0 + Int($1) }) + mark
    try Data(journal).write(to: URL(filePath: place.path + "-journal"))
    let error = #expect(throws: RecorderError.self) { try HistoryRecorder(at: place.path) }
    #expect(error?.description.contains("names another file") == true)
    #expect(FileManager.default.fileExists(atPath: victim))
    // The app moves it away, and records again.
    try FileManager.default.removeItem(atPath: place.path + "-journal")
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("before")
    try recorder.suspend()
    // It comes while the file is closed.
    try Data(journal).write(to: URL(filePath: place.path + "-journal"))
    recorder.mark("after")
    recorder.resume()
    let refusal = #expect(throws: RecorderError.self) { try recorder.flush() }
    #expect(refusal?.description.contains("names another file") == true)
    #expect(FileManager.default.fileExists(atPath: victim))
    try FileManager.default.removeItem(atPath: place.path + "-journal")
    try recorder.flush()
    recorder.close()
    #expect(recorder.statistics.stored == 2)
  }

  @Test func `a file with a hard link is refused, which two recorders could open`() throws {
    let place = try Place()
    try HistoryRecorder(at: place.path).close()
    let other = place.directory + "/other.sqlite"
    #expect(link(place.path, other) == 0)
    for path in [place.path, other] {
      let error = #expect(throws: RecorderError.self) { try HistoryRecorder(at: path) }
      #expect(error?.description.contains("hard link") == true)
    }
    #expect(unlink(other) == 0)
    try HistoryRecorder(at: place.path).close()
  }

  @Test func `another application's database is refused and not changed`() throws {
    let place = try Place()
    let other = try Connection(path: place.path, mode: .readWriteCreate)
    try other.execute("CREATE TABLE note(text); INSERT INTO note VALUES ('mine')")
    try other.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: place.path))
    #expect(throws: RecorderError.notAHistory(path: place.path)) {
      try HistoryRecorder(at: place.path)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)) == before)
  }

  @Test func `a newer history is refused with its number and not changed`() throws {
    let place = try Place()
    try HistoryRecorder(at: place.path).close()
    let connection = try Connection(path: place.path, mode: .readWrite)
    try connection.execute("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)")
    try connection.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: place.path))
    #expect(
      throws: RecorderError.newer(
        path: place.path, version: 99, known: HistoryFile.schemaVersion)
    ) {
      try HistoryRecorder(at: place.path)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)) == before)
  }

  @Test func `if the history is damaged, the app records into a new one`() throws {
    let place = try Place()
    let first = try HistoryRecorder(at: place.path)
    for _ in 0..<2_000 { first.mark("note") }
    first.close()
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: place.path))
    try file.seek(toOffset: 100)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 12_000))
    try file.close()
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("after")
    try recorder.flush()
    #expect(recorder.damagedHistory != nil)
    #expect(recorder.statistics.stored == 1)
    recorder.close()
    #expect(try place.query("SELECT count(*) FROM history") == ["1"])
  }

  @Test func `while another process has locked the file, events wait, and none is lost`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    try recorder.flush()
    try place.whileLocked {
      recorder.mark("meanwhile")
      #expect(throws: RecorderError.self) { try recorder.flush(atMost: .milliseconds(200)) }
      #expect(recorder.statistics.stored == 0)
    }
    recorder.close()
    #expect(try place.query("SELECT note FROM detail") == ["meanwhile"])
    #expect(recorder.statistics.lost == 0)
  }
}

/// Unusual names and payloads.
@Suite struct OddEventTests {
  @Test func `a name with NUL and control characters is read back unchanged`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let name = "a\0b\u{1B}[31m\n\u{202E}c"
    let controller = StateController<Page>()
    recorder.attach(to: controller, as: name)
    controller.transition(to: Instant(StateName(name)))
    recorder.close()
    let reader = try HistoryReader(path: place.path)
    #expect(try reader.controllers(session: 1).map(\.name) == [name])
    #expect(try reader.names().contains { $0.value == name })
  }

  @Test func `a payload of 100 MB is cut to the limit`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let controller = StateController<Page>()
    recorder.attach(to: controller, as: "checkout")
    let payload = String(repeating: "é", count: 50_000_000)
    controller.transition(to: Instant("large", payload: .open(payload)))
    recorder.close()
    #expect(
      try place.query("SELECT length(CAST(payload AS BLOB)) FROM detail WHERE payload NOT NULL")
        == ["4100"])
    #expect(recorder.statistics.lost == 0)
  }

  @Test func `100,000 distinct names are stored, or lost and counted`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let probe = ControllerProbe("probe")
    recorder.attach(to: probe, as: "checkout")
    let state = StateObject()
    for number in 0..<100_000 { probe.requested(state, named: StateName("name \(number)")) }
    recorder.close()
    let statistics = recorder.statistics
    #expect(statistics.observed == 100_001)
    #expect(statistics.stored + statistics.lost == statistics.observed)
    #expect(
      try place.query("SELECT events + lost FROM sessions") == ["\(statistics.observed)"])
    let wrong = try place.query(
      "SELECT count(*) FROM history WHERE kind = 'enqueued' AND state <> 'name ' || (visit - 1)")
    #expect(wrong == ["0"])
  }
}

private final class StateObject {}

/// Hashed and omitted payloads.
@Suite struct PrivacyTests {
  @Test func `no byte of 1,000 secrets in hashed and omitted payloads is on the disk`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let controller = StateController<Page>()
    recorder.attach(to: controller, as: "checkout")
    let secrets = (0..<1_000).map { "secret-\($0)-\(UInt64.random(in: .min ... .max))" }
    controller.transition(to: Instant("open", payload: .open("canary-in-the-open")))
    for (place, secret) in secrets.enumerated() {
      controller.transition(
        to: Instant("hidden", payload: place.isMultiple(of: 2) ? .hashed(secret) : .omitted))
      // Omitted payloads have a text too, like the states of an app.
      _ = secret
    }
    try recorder.flush()
    #expect(try found(["canary-in-the-open"], in: place) == ["canary-in-the-open"])
    #expect(try found(secrets, in: place).isEmpty)
    recorder.close()
    #expect(try found(secrets, in: place).isEmpty)
  }

  private func found(_ texts: [String], in place: Place) throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: place.directory)
    let files = try names.map {
      try Data(contentsOf: URL(fileURLWithPath: place.directory + "/" + $0))
    }
    // Skip most of a ring, which is large and mostly empty.
    let beginnings = Set(texts.map { $0.prefix(6) }).map { Data($0.utf8) }
    let candidates = files.filter { file in
      beginnings.contains { file.range(of: $0) != nil }
    }
    return texts.filter { text in candidates.contains { $0.range(of: Data(text.utf8)) != nil } }
  }
}
