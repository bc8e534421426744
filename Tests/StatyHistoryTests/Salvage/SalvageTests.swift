import CSQLite
import Chance
import Foundation
import StatisticsOracle
import Staty
import StatySQLite
import Testing

@testable import StatyHistory
@testable import StatyReading

/// What is got out of damaged files: all runs of events that stand on pages that were not touched.
///
/// `STATY_SALVAGES` says how many are damaged in each way, `STATY_SEED` how.
@Suite struct SalvageTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["STATY_SALVAGES"].flatMap { Int($0) } ?? 2

  private let story: SalvagedStory

  init() throws { story = try SalvagedStory.shared.get() }

  enum Damage: CaseIterable, CustomTestStringConvertible {
    case zeroedPages, garbagePages, swappedPages, zeroedSector, cut, flippedBit

    var testDescription: String { "\(self)" }

    /// Damages the file.
    ///
    /// - Returns: the pages that are not as they were.
    func strike(_ bytes: inout [UInt8], _ random: inout SeededRandom) -> Set<Int> {
      let count = bytes.count / 4_096
      var pages = Set(
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
          Int.random(in: 1...count, using: &random)
        })
      func place(_ page: Int) -> Int { (page - 1) * 4_096 }
      switch self {
      case .zeroedPages:
        for page in pages { for at in 0..<4_096 { bytes[place(page) + at] = 0 } }
      case .garbagePages:
        for page in pages {
          for at in 0..<4_096 {
            bytes[place(page) + at] = UInt8.random(in: 0...255, using: &random)
          }
        }
      case .swappedPages:
        let (one, other) = (pages.first!, Int.random(in: 1...count, using: &random))
        for at in 0..<4_096 { bytes.swapAt(place(one) + at, place(other) + at) }
        pages = one == other ? [] : [one, other]
      case .zeroedSector:
        let page = pages.first!
        let sector = Int.random(in: 0..<8, using: &random) * 512
        for at in sector..<(sector + 512) { bytes[place(page) + at] = 0 }
        pages = [page]
      case .cut:
        let length = Int.random(in: 4_096..<bytes.count, using: &random)
        pages = Set((length / 4_096 + 1)...count)
        bytes.removeLast(bytes.count - length)
      case .flippedBit:
        let at = Int.random(in: 0..<bytes.count, using: &random)
        bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        pages = [at / 4_096 + 1]
      }
      return pages
    }
  }

  @Test(arguments: Damage.allCases)
  func `nothing is invented, and every whole run on sound pages is there`(_ damage: Damage) throws {
    var (saved, missing) = (0, 0)
    for round in 0..<Self.rounds {
      var random = SeededRandom(seed: testSeed &+ UInt64(round))
      var bytes = story.bytes
      let pages = damage.strike(&bytes, &random)
      let place = try TemporaryHistory()
      try Data(bytes).write(to: URL(fileURLWithPath: place.path))
      let what = "\(damage) of pages \(pages.sorted()), round \(round), STATY_SEED=\(testSeed)"
      let target = place.directory + "/out.sqlite"
      let report = try salvage(place.path, to: target)
      guard !report.sessions.isEmpty else {
        #expect(!Self.needed.isDisjoint(with: pages.compactMap { story.owners[$0] }), "\(what)")
        continue
      }
      let found = try events(of: target, report)
      for (seq, line) in found where story.events[seq] != line {
        Issue.record("\(what): event \(seq) is \(line) and was \(story.events[seq] ?? "none")")
      }
      let held = held(without: pages).subtracting(found.keys)
      #expect(held.count <= report.unverified + report.strays, "\(what): some are not told of")
      let expected = expected(without: pages, isFlipped: damage == .flippedBit)
      let gone = expected.subtracting(found.keys)
      #expect(
        gone.isEmpty, "\(what): \(gone.count) of \(expected.count) are missing, as \(gone.min()!)")
      saved += found.count
      missing += story.events.count - found.count
    }
    figure("\(damage), seed \(testSeed): \(saved) events of \(Self.rounds) files, \(missing) lost")
    // A file may be cut off before its first event.
    #expect(saved > 0 || damage == .cut)
  }

  @Test func `what is not damaged comes out as it was`() throws {
    let history = try story.history()
    let target = history.directory + "/out.sqlite"
    let report = try salvage(history.path, to: target)
    #expect(report.isWhole && report.lostPages == 0)
    #expect(try events(of: target, report) == story.events)
    #expect(try export(target) == export(history.path))
  }

  @Test(arguments: [12, 255])
  func `so does what another build of SQLite has written, which reserves bytes in each page`(
    _ reserved: Int32
  ) throws {
    let place = try reserving(reserved)
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.path))[20] == UInt8(reserved))
    #expect(try HistoryReader(receivedAt: place.path).sessions().count == 3)
    let target = place.directory + "/out.sqlite"
    let report = try salvage(place.path, to: target)
    #expect(report.isWhole && report.lostPages == 0)
    #expect(try events(of: target, report) == story.events)
  }

  /// Damage to the first page, where it is said how many bytes are reserved.
  enum HeaderDamage: CaseIterable {
    case flippedSize, zeroedSize, flippedMark, zeroedFirst, zeroedBeginning

    func strike(_ bytes: inout [UInt8]) {
      switch self {
      case .flippedSize: bytes[20] ^= 1
      case .zeroedSize: bytes[20] = 0
      case .flippedMark: bytes[0] ^= 1
      case .zeroedFirst: bytes.zero(1)
      case .zeroedBeginning: for page in 2...min(66, bytes.count / 4_096 / 2) { bytes.zero(page) }
      }
    }
  }

  @Test(arguments: [0, 12, 255], HeaderDamage.allCases)
  func `what is left of the first page does not matter to events on others`(
    _ reserved: Int32, _ damage: HeaderDamage
  ) throws {
    let place = try reserving(reserved)
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: place.path)))
    damage.strike(&bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: place.path))
    let target = place.directory + "/out.sqlite"
    let report = try salvage(place.path, to: target)
    let found = try events(of: target, report)
    #expect(found.allSatisfy { story.events[$0.key] == $0.value })
    switch damage {
    case .flippedSize, .zeroedSize, .flippedMark: #expect(found == story.events)
    case .zeroedFirst: #expect(report.lostPages >= 1 && found == story.events)
    case .zeroedBeginning: #expect(report.lostPages > 1 && !report.isWhole)
    }
  }

  /// The story in a file that reserves so many bytes at the end of each page.
  private func reserving(_ reserved: Int32) throws -> TemporaryHistory {
    let place = try story.history()
    var database: OpaquePointer?
    try #require(sqlite3_open(place.path, &database) == SQLITE_OK)
    var bytes = reserved
    #expect(
      sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes) == SQLITE_OK)
    #expect(sqlite3_exec(database, "VACUUM", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    return place
  }

  @Test func `names on a lost page are taken from their index`() throws {
    let (report, found) = try salvaged { $0.zero(try story.page(of: "name")) }
    #expect(report.lostPages == 1 && report.sessions.allSatisfy(\.isWhole))
    #expect(found == story.events)
  }

  @Test func `sessions on a lost page are recovered from other pages`() throws {
    let (report, found) = try salvaged { $0.zero(try story.page(of: "session")) }
    #expect(report.sessions.map(\.uuid) == (1...3).map { "s\($0) (unverified)" })
    #expect(report.sessions.allSatisfy { !$0.isVouched && !$0.isSealed })
    // Without each first run: its checksum covers what is lost.
    let expected = Set(story.events.keys).subtracting(story.firstRuns)
    #expect(Set(found.keys) == expected)
  }

  @Test func `sessions that are lost with their index may be missing`() throws {
    let (report, _) = try salvaged {
      for table in ["session", "sqlite_autoindex_session_1"] { $0.zero(try story.page(of: table)) }
    }
    #expect(report.sessions.isEmpty && !report.isWhole)
    #expect(report.strays == Int64(story.events.count))
    let (indexed, _) = try salvaged { $0.zero(try story.page(of: "session")) }
    #expect(indexed.lostPages == 1 && indexed.sessionsLeftOut == 0 && indexed.strays == 0)
  }

  @Test(arguments: [
    ("UPDATE session SET first_seq = -5 WHERE id = 1", 1),
    ("UPDATE session SET first_seq = 9223372036854775807 WHERE id = 1", 1),
    ("DELETE FROM session WHERE id = 1", 0),
  ])
  func `a session that is left out is told of, and so are its events`(sql: String, leftOut: Int)
    throws
  {
    let place = try story.history()
    try place.tamper(sql)
    let report = try salvage(place.path, to: place.directory + "/out.sqlite")
    #expect(report.sessions.map(\.id) == [2, 3] && report.sessions.allSatisfy(\.isWhole))
    #expect(report.sessionsLeftOut == leftOut && !report.isWhole)
    let own = try story.history().query(
      "SELECT count(*) FROM event WHERE seq < (SELECT first_seq FROM session WHERE id = 2)")
    #expect(["\(report.strays)"] == own)
  }

  @Test func `a run with a flipped bit is left out and recorded as lost, and the others are there`()
    throws
  {
    let page = try story.page(ofEventFrom: 10)
    // Among the cells, which lie at the end of the page.
    let (report, found) = try salvaged { $0[page * 4_096 - 900] ^= 4 }
    #expect(found.allSatisfy { story.events[$0.key] == $0.value })
    let gone = Set(story.events.keys).subtracting(found.keys)
    #expect(
      !gone.isEmpty
        && gone.isSubset(
          of: Set(
            story.runs.filter { run in
              run.contains { story.pages[$0] == page }
            }.joined()))
    )
    let lost = report.sessions.flatMap(\.missing)
    #expect(gone.allSatisfy { seq in lost.contains { $0.contains(seq) } })
    #expect(report.unverified > 0)
  }

  @Test(arguments: ["name", "site", "session", "controller", "chain", "event"])
  func `a flipped bit in a row leaves the other rows of its page`(_ table: String) throws {
    let page = table == "event" ? try story.page(ofEventFrom: 10) : try story.page(of: table)
    let last = try cell(-1, on: page)
    // The type of its second column.
    let (report, found) = try salvaged { $0[last.place + 2] ^= 4 }
    #expect(report.lostPages == 1 && !report.isWhole)
    let gone = Set(story.events.keys).subtracting(found.keys)
    #expect(found.allSatisfy { story.events[$0.key] == $0.value })
    let lastFirst = try #require(story.firstRuns.max())
    switch table {
    // An index has the same.
    case "name", "site": #expect(gone.isEmpty && report.sessions.allSatisfy(\.isWhole))
    case "session":
      #expect(report.sessions.map(\.uuid) == ["s1", "s2", "s3 (unverified)"])
      #expect(gone == story.runs.first { $0.contains(lastFirst) })
    case "controller":
      #expect(report.sessions.map(\.isWhole) == [true, true, false])
      #expect(gone.isSubset(of: Set(story.runs.drop { !$0.contains(lastFirst) }.joined())))
    case "chain": #expect(gone == story.runs.last)
    default: #expect(gone == story.runs.first { $0.contains(last.key) })
    }
  }

  @Test func `a row with a flipped bit in its number leaves the other rows of its page`() throws {
    let first = try cell(0, on: try story.page(of: "session"))
    let (report, found) = try salvaged { $0[first.place - 1] ^= 4 }
    #expect(first.key == 1)
    #expect(report.sessions.map(\.uuid) == ["s1 (unverified)", "s2", "s3"])
    #expect(Set(story.events.keys).subtracting(found.keys) == story.runs.first)
  }

  @Test(arguments: [0, 1, 5], [true, false])
  func `the next checksum confirms the events of one that is damaged, or that is lost with its row`(
    _ index: Int, _ isLost: Bool
  ) throws {
    let cell = try cell(index, on: try story.page(of: "chain"))
    let (report, found) = try salvaged { $0[isLost ? cell.place + 2 : cell.end - 3] ^= 4 }
    #expect(found == story.events)
    #expect(report.sessions.allSatisfy(\.isWhole) && report.lostPages == (isLost ? 1 : 0))
  }

  @Test(arguments: [HistoryFile.mostNumber + 1, .max])
  func `an event with a number that no recorder comes to is left out, although its checksum holds`(
    _ seq: Int64
  ) throws {
    let place = try TemporaryHistory()
    try place.write { writer in
      let session = try writer.beginSession(.test())
      try writer.append((1...4).map { EventRow(seq: $0, time: 5, kind: .mark) }, to: session)
      try writer.reseal(session: session, longestRun: 2)
      try writer.endSession(session, .clean)
    }
    let sum = try #require(try place.query("SELECT sum FROM chain WHERE first_seq = 1").first)
    var changed = ChainRun.link(UInt64(bitPattern: try #require(Int64(sum))))
    for number in [3, seq] {
      let row = EventRow(seq: number, time: 5, kind: .mark)
      changed &+= try #require(ContentHashes().hash(row, first: 1))
    }
    try place.tamper(
      """
      UPDATE event SET seq = \(seq) WHERE seq = 4;
      UPDATE chain SET last_seq = \(seq), sum = \(Int64(bitPattern: changed)) WHERE first_seq = 3
      """)
    let target = place.directory + "/out.sqlite"
    let report = try salvage(place.path, to: target)
    #expect(try events(of: target, report).keys.sorted() == [1, 2])
    #expect(report.sessions.map(\.missing) == [[3...4]])
  }

  @Test func `a reading of the clock at the very beginning is recovered`() throws {
    let place = try TemporaryHistory()
    let set = AnchorRecord(time: 0, wallTime: 1_700_000_000_000_777)
    try place.write { writer in
      let session = try writer.beginSession(.test())
      try writer.append([EventRow(seq: 1, time: 5, kind: .mark)], to: session)
      try writer.addAnchor(session: session, time: set.time, wallTime: set.wallTime)
      try writer.endSession(session, .clean)
    }
    let target = place.directory + "/out.sqlite"
    #expect(try salvage(place.path, to: target).isWhole)
    #expect(try HistoryReader(receivedAt: target).anchors(session: 1) == [set])
  }

  @Test func `an event that no checksum covers is left out, and the session is not whole`() throws {
    let place = try story.history()
    try place.tamper(
      """
      INSERT INTO event SELECT t, what, visit, state, inside, ref, seq + 1 FROM event
      ORDER BY seq DESC LIMIT 1
      """)
    let report = try salvage(place.path, to: place.directory + "/out.sqlite")
    #expect(report.sessions.map(\.isWhole) == [true, true, false])
    #expect(report.unverified == 1 && !report.isWhole)
  }

  @Test func `the content of the log is recovered`() throws {
    let (place, copy) = (try TemporaryHistory(), try TemporaryHistory())
    let writer = try HistoryWriter(path: place.path)
    let session = try writer.beginSession(.test())
    try writer.append([EventRow(seq: 1, time: 5, kind: .mark)], to: session)
    try FileManager.default.copyItem(atPath: place.path, toPath: copy.path)
    try FileManager.default.copyItem(atPath: place.path + "-wal", toPath: copy.path + "-wal")
    try writer.close()
    let target = copy.directory + "/out.sqlite"
    let report = try salvage(copy.path, to: target)
    #expect(report.sessions.map(\.events) == [1] && report.isWhole)
  }

  @Test func `what the last commit has cut off does not come back`() throws {
    let (place, copy) = (try TemporaryHistory(), try TemporaryHistory())
    let writer = try HistoryWriter(path: place.path)
    var next: Int64 = 1
    for (uuid, count) in [("s1", 6_000), ("s2", 250)] as [(String, Int64)] {
      let session = try writer.beginSession(.test(uuid))
      let rows = (next..<next + count).map { EventRow(seq: $0, time: 5, kind: .mark) }
      try writer.append(rows, to: session)
      try writer.endSession(session, .clean)
      next += count
    }
    try writer.checkpoint(.truncate)
    try writer.remove(session: 1)
    try writer.giveBack(pages: 10_000)
    for end in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: place.path + end, toPath: copy.path + end)
    }
    try writer.close()
    let pages = try Data(contentsOf: URL(fileURLWithPath: copy.path)).count / 4_096
    #expect(try PageSource(copy.path).count < pages)
    let target = copy.directory + "/out.sqlite"
    let report = try salvage(copy.path, to: target)
    #expect(report.sessions.map(\.uuid) == ["s2"] && report.isWhole)
    #expect(try events(of: target, report).count == 250)
  }

  /// A log of some transactions, the same with other bytes, and where it breaks off then.
  private func broken(_ change: (inout [UInt8]) -> Void) throws -> (LogBreak?, SalvageReport) {
    let (place, copy) = (try TemporaryHistory(), try TemporaryHistory())
    let writer = try HistoryWriter(path: place.path)
    let session = try writer.beginSession(.test())
    try writer.checkpoint(.truncate)
    for seq in 1...5 as ClosedRange<Int64> {
      try writer.append([EventRow(seq: seq, time: 5, kind: .mark)], to: session)
    }
    try FileManager.default.copyItem(atPath: place.path, toPath: copy.path)
    var log = Array(try Data(contentsOf: URL(fileURLWithPath: place.path + "-wal")))
    try writer.close()
    change(&log)
    try Data(log).write(to: URL(fileURLWithPath: copy.path + "-wal"))
    let report = try salvage(copy.path, to: copy.directory + "/out.sqlite")
    return (HistoryFile.logBreak(of: copy.path), report)
  }

  @Test func `a log with a break before its end leaves a doubt`() throws {
    let (none, whole) = try broken { _ in }
    #expect(none == nil && whole.isWhole && whole.events == 5)
    // A bit of a page, of a salt, of the header; and a frame that is cut off.
    for (place, frame) in [(32 + 4_120 + 2_000, 2), (32 + 8, 1), (20, 0)] {
      let (found, report) = try broken { $0[place] ^= 4 }
      #expect(found?.frame == frame && (found?.commits ?? 0) > 1)
      #expect(report.logBreak == found && !report.isWhole)
    }
    let (torn, _) = try broken { log in
      let salts = log[16..<24]
      let ends = stride(from: 32, to: log.count, by: 4_120).prefix { place in
        log[place + 8..<place + 16] == salts
      }
      log.removeLast(log.count - (ends.last! + 4_110))
    }
    #expect(torn?.commits == 1)
  }

  @Test func `what was written before a log was begun anew, or was never committed, leaves none`()
    throws
  {
    // As it is behind the end of a log that is used again.
    let (old, _) = try broken { log in
      var frame = Array(log[32..<32 + 4_120])
      frame[7] = 9
      for place in 8..<16 { frame[place] ^= 0x55 }
      log += frame + frame
    }
    #expect(old == nil)
    let (begun, report) = try broken { log in
      var frame = Array(log[32..<32 + 4_120])
      frame.replaceSubrange(4..<8, with: [0, 0, 0, 0])
      log += frame + frame
    }
    #expect(begun == nil && report.isWhole)
  }

  @Test func `a session does not begin before the events of the one before it end`() throws {
    let history = try TemporaryHistory()
    try history.write { writer in
      for number in 0..<2 as Range<Int64> {
        var opening = SessionOpening.test("u\(number)")
        opening.firstSeq = number * 4 + 1
        let session = try writer.beginSession(opening)
        let rows = (1...4).map { EventRow(seq: number * 4 + $0, time: 0, kind: .mark) }
        try writer.append(rows, to: session, observed: 4)
        try writer.endSession(session, .clean)
      }
    }
    try history.tamper("UPDATE session SET first_seq = 4 WHERE id = 2")
    let target = history.directory + "/out.sqlite"
    let report = try salvage(history.path, to: target)
    // With its true beginning, the checksums of the second one's events hold.
    #expect(report.sessions.map(\.events) == [4, 4])
    let reader = try HistoryReader(receivedAt: target)
    #expect(try reader.sessions().map(\.firstSeq) == [1, 5])
  }

  @Test func `nothing is made of what is no history`() throws {
    let place = try TemporaryHistory()
    for bytes in [Array("no database".utf8), [UInt8](repeating: 13, count: 40_000)] {
      try Data(bytes).write(to: URL(fileURLWithPath: place.path))
      let target = place.directory + "/out-\(bytes.count).sqlite"
      #expect(try salvage(place.path, to: target).sessions.isEmpty)
    }
    try Data().write(to: URL(fileURLWithPath: place.path))
    #expect(throws: HistoryError.empty) { try HistorySalvage(place.path) }
  }

  /// The place in the file of the content of a row on a page, its end, and the row's number.
  ///
  /// - Parameter index: which one; a negative number counts from the end.
  private func cell(_ index: Int, on page: Int) throws -> (place: Int, end: Int, key: Int64) {
    let start = (page - 1) * 4_096
    let cells = try #require(TreePage(Array(story.bytes[start..<start + 4_096]))).cells
    let cell = cells[index < 0 ? cells.count + index : index]
    return (start + cell.local.lowerBound, start + cell.local.upperBound, cell.key)
  }

  /// What is left when the file was changed like this.
  private func salvaged(
    _ change: (inout [UInt8]) throws -> Void
  ) throws -> (SalvageReport, [Int64: String]) {
    var bytes = story.bytes
    try change(&bytes)
    let place = try TemporaryHistory()
    try Data(bytes).write(to: URL(fileURLWithPath: place.path))
    let target = place.directory + "/out.sqlite"
    let report = try salvage(place.path, to: target)
    return (report, try events(of: target, report))
  }

  private func salvage(_ path: String, to target: String) throws -> SalvageReport {
    let writer = try HistoryWriter(path: target)
    let report = try HistorySalvage(path).write(into: writer)
    try writer.close()
    return report
  }

  /// The tables that are needed to know what an event is.
  private static let needed: Set<String> = ["session", "controller", "sqlite_schema"]

  /// The events that have to be somewhere if these pages are not as they were.
  private func held(without pages: Set<Int>) -> Set<Int64> {
    let struck = Set(pages.compactMap { story.owners[$0] })
    guard Self.needed.isDisjoint(with: struck) else { return [] }
    return Set(story.pages.keys.filter { !pages.contains(story.pages[$0]!) })
  }

  /// The events that have to be verified: those of runs without any part on these pages.
  ///
  /// - Parameter isFlipped: whether a page can still be read, perhaps with another content.
  private func expected(without pages: Set<Int>, isFlipped: Bool) -> Set<Int64> {
    let struck = Set(pages.compactMap { story.owners[$0] })
    guard Self.needed.union(["chain", "asking", "detail"]).isDisjoint(with: struck) else {
      return []
    }
    for (table, index) in [
      ("name", "sqlite_autoindex_name_1"), ("site", "sqlite_autoindex_site_1"),
    ]
    where struck.contains(table) && (struck.contains(index) || isFlipped) { return [] }
    let held = held(without: pages)
    return Set(story.runs.filter { $0.isSubset(of: held) }.joined())
  }

  /// The events of a history that is as any other, with what is said to be missing.
  private func events(of path: String, _ report: SalvageReport) throws -> [Int64: String] {
    let reader = try HistoryReader(receivedAt: path)
    for session in try reader.sessions() {
      #expect(try ChainVerifier(reader).firstDamage(session: session.id) == nil)
      let lost = try reader.losses(session: session.id).reduce(0) { $0 + $1.count }
      #expect(session.observed == session.stored + lost)
      let said = try #require(report.sessions.first { $0.id == session.id })
      #expect(said.events == session.stored)
    }
    return try SalvagedStory.events(of: path)
  }

  private func export(_ path: String) throws -> String {
    let reader = try HistoryReader(receivedAt: path)
    var text = ""
    try HistoryExport(reader).write(reader.sessions()) { text += $0 }
    return text
  }
}

extension [UInt8] {
  fileprivate mutating func zero(_ page: Int) {
    for at in (page - 1) * 4_096..<page * 4_096 { self[at] = 0 }
  }
}
