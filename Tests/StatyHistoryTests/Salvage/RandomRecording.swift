import Chance
import Foundation
import StatisticsOracle
import Staty
import StatyHistory
import StatyReading
import Testing

/// A history of a few sessions in which anything may have been recorded; the beginning of some is cut
/// off.
final class RandomRecording {
  private let history: TemporaryHistory
  /// The file.
  let bytes: [UInt8]
  let told: Told

  init(_ random: inout SeededRandom) throws {
    let history = try TemporaryHistory()
    let writer = try HistoryWriter(path: history.path)
    for number in 1...(1 + random.below(4)) {
      try Self.write(writer, number, &random)
    }
    try writer.close()
    self.history = history
    bytes = Array(try Data(contentsOf: URL(fileURLWithPath: history.path)))
    told = try Told(history.path)
  }

  /// Gives what is got out of these bytes: where it is, and what is said of it.
  func salvage(
    _ bytes: [UInt8], _ body: (String, SalvageReport) throws -> Void
  ) throws {
    let place = try TemporaryHistory()
    try Data(bytes).write(to: URL(fileURLWithPath: place.path))
    let target = place.directory + "/out.sqlite"
    let writer = try HistoryWriter(path: target)
    let report = try HistorySalvage(place.path).write(into: writer)
    try writer.close()
    try body(target, report)
  }

  private static let policies = ["queue", "immediate", "priority", "Shop.Screens"]

  private static func write(
    _ writer: HistoryWriter, _ number: Int, _ random: inout SeededRandom
  ) throws {
    let session = try writer.beginSession(.test("uuid-\(number)"))
    var seq = try #require(try writer.sessions().last).firstSeq - 1
    let names = try (0..<12).map { try writer.intern(name: "state \($0)") }
    let sites = try (0..<4).map { try writer.intern(site: "Shop/File.swift", line: Int64($0)) }
    let controllers = try ["checkout", "sheet", "list"].prefix(1 + random.below(3)).map { name in
      var snapshot = SnapshotRecord()
      snapshot.lastVisit = UInt32(random.below(9))
      return try writer.addController(
        session: session, name: name, policy: policies[random.below(4)],
        discipline: UInt8(1 + random.below(4)), fidelity: UInt8(1 + random.below(3)),
        snapshot: snapshot.text)
    }
    var (rows, details): ([EventRow], [EventDetail]) = ([], [])
    for controller in controllers {
      seq += 1
      rows.append(EventRow(seq: seq, time: 0, kind: .attached, controller: controller))
    }
    var lost: [Int64] = []
    for index in 0..<(20 + random.below(500)) {
      seq += 1
      if random.below(60) == 0 {
        lost.append(seq)
        continue
      }
      let kind = [EventKind.enqueued, .entering, .entered, .exiting, .exited, .mark][
        random.below(6)]
      var row = EventRow(
        seq: seq, time: Int64(index) * 1_234, kind: kind, thread: UInt8(random.below(4)))
      var detail = EventDetail(seq: seq)
      if kind == .mark {
        detail.note = "note \(index)"
      } else {
        row.controller = controllers[random.below(controllers.count)]
        (row.visit, row.state) = (UInt32(1 + random.below(200)), names[random.below(12)])
      }
      if kind == .enqueued {
        row.site = sites[random.below(4)]
        detail.origin = UInt32(random.below(3))
        if random.below(9) == 0 { detail.payload = Array("payload \(index)".utf8) }
      }
      if random.below(3) == 0, let last = rows.last {
        row.set(.performed, of: last.seq)
        row.thread = last.thread
      }
      rows.append(row)
      if detail != EventDetail(seq: seq) { details.append(detail) }
    }
    try writer.append(rows, details: details, to: session)
    for seq in lost { try writer.recordLoss(first: seq, last: seq, count: 1, reason: "overload") }
    try writer.addAnchor(
      session: session, time: [0, 5_000][random.below(2)], wallTime: 1_700_000_000_600_000)
    try writer.reseal(session: session, longestRun: [20, 60, nil][random.below(3)])
    let end = [SessionEnd.clean, .killed, .open][random.below(3)]
    if end != .open { try writer.endSession(session, end) }
  }
}
