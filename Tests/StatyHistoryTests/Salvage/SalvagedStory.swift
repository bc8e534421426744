import Chance
import Foundation
import StatisticsOracle
import Staty
import StatyHistory
import StatyReading
import StatySQLite
import Testing

/// A history with rows in every table, and the known content of every page.
struct SalvagedStory {
  /// The story of this run's seed, which all tests take.
  static let shared = Result { try SalvagedStory(seed: testSeed) }

  /// The file.
  let bytes: [UInt8]
  /// What each event is, as it is exported.
  let events: [Int64: String]
  /// The page on which each event's row stands.
  let pages: [Int64: Int]
  /// The events of each checksum.
  let runs: [Set<Int64>]
  /// The events with a checksum that covers the session, too.
  let firstRuns: Set<Int64>
  /// The pages of each table and index.
  let owners: [Int: String]

  init(seed: UInt64) throws {
    let history = try TemporaryHistory()
    var random = SeededRandom(seed: seed)
    try history.write { writer in
      for session in 1...3 { try Self.write(writer, session, &random) }
      // Short runs, so that damage concerns few of many.
      for session in 1...3 as ClosedRange<Int64> {
        try writer.reseal(session: session, longestRun: 100)
      }
    }
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: history.path)))
    self.bytes = bytes
    events = try Self.events(of: history.path)
    let numbers = events.keys
    runs = try history.query("SELECT first_seq, last_seq FROM chain ORDER BY 1").map { line in
      let ends = line.split(separator: "|").map { Int64($0)! }
      return Set(numbers.filter { $0 >= ends[0] && $0 <= ends[1] })
    }
    let firsts = Set(try history.query("SELECT first_seq FROM session").compactMap { Int64($0) })
    firstRuns = Set(runs.filter { !$0.isDisjoint(with: firsts) }.joined())
    owners = Dictionary(
      uniqueKeysWithValues: try history.query("SELECT pageno, name FROM dbstat").map { line in
        let parts = line.split(separator: "|")
        return (Int(parts[0])!, String(parts[1]))
      })
    var pages: [Int64: Int] = [:]
    for (page, owner) in owners where owner == "event" {
      for seq in Self.keys(bytes, page) { pages[seq] = page }
    }
    self.pages = pages
  }

  /// The story in a file of its own.
  func history() throws -> TemporaryHistory {
    let place = try TemporaryHistory()
    try Data(bytes).write(to: URL(fileURLWithPath: place.path))
    return place
  }

  /// The first page of a table or an index.
  func page(of owner: String) throws -> Int {
    try #require(owners.filter { $0.value == owner }.keys.min())
  }

  /// The page of the first event from a number on that was not lost.
  func page(ofEventFrom seq: Int64) throws -> Int {
    try #require(pages.filter { $0.key >= seq }.min { $0.key < $1.key }).value
  }

  /// The lines of a history's export that are about events, by their numbers.
  static func events(of path: String) throws -> [Int64: String] {
    let reader = try HistoryReader(receivedAt: path)
    var text = ""
    try HistoryExport(reader).write(reader.sessions()) { text += $0 }
    var events: [Int64: String] = [:]
    for line in text.split(separator: "\n") {
      guard line.hasPrefix(#"{"seq":"#), line.contains(#""kind":"#) else { continue }
      events[Int64(line.dropFirst(7).prefix { $0.isNumber })!] = String(line)
    }
    return events
  }

  /// The numbers of the rows on a leaf, read as plainly as can be.
  private static func keys(_ bytes: [UInt8], _ page: Int) -> [Int64] {
    let start = (page - 1) * 4_096
    guard bytes[start] == 13 else { return [] }
    let count = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
    return (0..<count).map { index in
      let pointer = start + 8 + 2 * index
      var place = start + (Int(bytes[pointer]) << 8 | Int(bytes[pointer + 1]))
      func number() -> Int64 {
        var number: Int64 = 0
        while true {
          let byte = bytes[place]
          place += 1
          number = number << 7 | Int64(byte & 0x7f)
          if byte < 0x80 { return number }
        }
      }
      _ = number()
      return number()
    }
  }

  private static func write(
    _ writer: HistoryWriter, _ number: Int, _ random: inout SeededRandom
  ) throws {
    let session = try writer.beginSession(.test("s\(number)"))
    let before = try #require(try writer.sessions().last).firstSeq - 1
    var seq = before
    let names = try (0..<30).map { try writer.intern(name: "state \($0)") }
    let sites = try (0..<10).map { try writer.intern(site: "Shop/File.swift", line: Int64($0)) }
    let controllers = try ["checkout", "sheet"].map { name in
      try writer.addController(
        session: session, name: name, policy: "queue", snapshot: SnapshotRecord().text)
    }
    var (rows, details, losses): ([EventRow], [EventDetail], [Int64]) = ([], [], [])
    for controller in controllers {
      seq += 1
      rows.append(EventRow(seq: seq, time: 0, kind: .attached, controller: controller))
    }
    for index in 0..<900 {
      seq += 1
      if Int.random(in: 0..<200, using: &random) == 0 {
        losses.append(seq)
        continue
      }
      let visit = UInt32(index / 5 + 1)
      let kind: EventKind = [.enqueued, .entering, .entered, .exiting, .exited][index % 5]
      var row = EventRow(
        seq: seq, time: Int64(index) * 1_234, kind: kind,
        controller: controllers[(index / 5) % 2], visit: visit, state: names[(index / 5) % 30])
      if index % 97 == 96 { row = EventRow(seq: seq, time: row.time, kind: .mark) }
      if row.kind == EventKind.enqueued.rawValue { row.site = sites[index % 10] }
      if index % 5 == 1 { row.set(.handled, of: seq - 1) }
      rows.append(row)
      var detail = EventDetail(seq: seq)
      if row.kind == EventKind.mark.rawValue { detail.note = "note \(index)" }
      if row.kind == EventKind.enqueued.rawValue, index % 3 == 0 {
        detail.origin = max(1, visit - 1)
        if index % 2 == 0 { detail.priority = Int32(index % 7 + 1) }
        if index % 25 == 0 { detail.payload = Array("payload \(index)".utf8) }
      }
      if detail != EventDetail(seq: seq) { details.append(detail) }
    }
    // The last number may be lost, too.
    try writer.append(rows, details: details, to: session, observed: seq - before)
    for seq in losses { try writer.recordLoss(first: seq, last: seq, count: 1, reason: "overload") }
    try writer.addAnchor(session: session, time: 500_000, wallTime: 1_700_000_000_600_000)
    try writer.endSession(session, number == 2 ? .killed : .clean)
  }
}
