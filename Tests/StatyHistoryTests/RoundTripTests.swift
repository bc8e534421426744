import Staty
import StatyHistory
import StatyReading
import StatySQLite
import Testing

@Suite("Writing and reading back")
struct RoundTripTests {
  let history: TemporaryHistory

  init() throws {
    history = try TemporaryHistory()
  }

  @Test("every field of rows and details comes back as it was")
  func everyField() throws {
    try history.write(SmallHistory.write)
    #expect(try history.rows() == SmallHistory.rows)
    #expect(try history.details() == SmallHistory.details)
    #expect(try history.damage() == nil)
  }

  @Test("the largest and smallest numbers come back as they were")
  func extremes() throws {
    var low = EventRow(seq: 1, time: .min, kind: .lost, reason: 7, thread: 63)
    low.set(.called, of: 1 - (1 << 60), cause: .max)
    low.visit = .max
    let high = EventRow(seq: HistoryFile.mostNumber, time: .max, kind: .attached)
    var detail = EventDetail(seq: 1)
    detail.instance = .max
    detail.origin = .max
    detail.priority = .min
    detail.equality = 0
    detail.answers = .max
    detail.objection = .max
    detail.refusal = .max
    detail.step = .max
    detail.note = ""
    detail.payload = []
    try history.write { writer in
      _ = try writer.beginSession(.test())
      #expect(try writer.append([low, high], details: [detail]) == 2)
      #expect(try writer.highestSeq() == HistoryFile.mostNumber)
    }
    #expect(try history.rows() == [low, high])
    #expect(try history.details() == [detail])
    #expect(
      try history.damage()?.description == "an event lies inside one in which it cannot lie at 1")
  }

  @Test("threads from the sixty-third on are one")
  func threads() throws {
    try history.write { writer in
      _ = try writer.beginSession(.test())
      try writer.append([
        EventRow(seq: 1, time: 0, kind: .mark, thread: 62),
        EventRow(seq: 2, time: 0, kind: .mark, thread: 63),
        EventRow(seq: 3, time: 0, kind: .mark, thread: 255),
      ])
    }
    #expect(try history.rows().map(\.thread) == [62, 63, 63])
    #expect(try history.damage() == nil)
  }

  @Test("session, controllers, places, anchors and losses come back as they were")
  func surroundings() throws {
    try history.write { writer in
      try SmallHistory.write(writer)
      try writer.addAnchor(session: 1, time: 50, wallTime: 99)
    }
    let reader = try HistoryReader(path: history.path)
    let session = try reader.session(1)
    #expect(session == (try reader.sessions()).first)
    #expect(session.uuid == "u1" && session.app == "Shop" && session.appVersion == "1.2")
    #expect(session.os == "Linux 6" && session.pid == 42 && session.ended == .clean)
    #expect(session.firstSeq == 1 && session.lastSeq == 10 && session.lastTime == 70)
    #expect(session.stored == 9 && session.observed == 10)
    let controllers = try reader.controllers(session: 1)
    #expect(controllers.map(\.name) == ["checkout", "loading"])
    #expect(controllers.map(\.fidelity) == [1, 2])
    #expect(controllers.first?.snapshot == #"{"waiting":[]}"#)
    #expect(try reader.sites()[2] == SiteRecord(file: "Shop/Checkout.swift", line: 40))
    #expect(try reader.anchors(session: 1).map(\.wallTime) == [1_700_000_000_000_000, 99])
    #expect(
      try reader.losses(session: 1)
        == [LossRecord(firstSeq: 8, lastSeq: 8, count: 1, reason: "lane full")])
    #expect(try reader.detail(of: 10)?.note == "half\0way")
    #expect(try reader.detail(of: 9) == nil)
  }

  @Test("part of a session can be read")
  func range() throws {
    try history.write(SmallHistory.write)
    let events = try HistoryReader(path: history.path).events(session: 1, from: 4, through: 8)
    var numbers: [Int64] = []
    while let row = try events.next() { numbers.append(row.seq) }
    #expect(numbers == [4, 5, 6, 7])
  }

  @Test("a newer file, another application's and a plain one are refused by name")
  func refusals() throws {
    try history.write(SmallHistory.write)
    try history.tamper("PRAGMA user_version = 99")
    let newer = #expect(throws: HistoryError.self) { try HistoryReader(path: history.path) }
    #expect(newer == .refused(.newer(found: 99, known: HistoryFile.schemaVersion)))
    let writing = #expect(throws: HistoryError.self) { try HistoryWriter(path: history.path) }
    #expect(writing == newer)
    try history.tamper("PRAGMA user_version = 2; PRAGMA application_id = 7")
    #expect(
      throws: HistoryError.refused(
        .otherApplication(found: 7, expected: HistoryFile.applicationID))
    ) { try HistoryReader(path: history.path) }
    let plain = try TemporaryHistory()
    try Connection(path: plain.path, mode: .readWriteCreate).execute("CREATE TABLE t(a)")
    #expect(throws: HistoryError.refused(.unmarked)) { try HistoryReader(path: plain.path) }
  }
}
