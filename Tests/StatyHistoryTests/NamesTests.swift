import Foundation
import Staty
import StatyHistory
import StatyReading
import Testing

@Suite("Names")
struct NamesTests {
  let history: TemporaryHistory

  init() throws {
    history = try TemporaryHistory()
  }

  @Test("NUL, repaired bytes, emptiness and two spellings of one letter are names of their own")
  func odd() throws {
    let names = [
      "", "a", "a\0", "a\0b", String(decoding: [0x61, 0xff, 0xc3], as: UTF8.self), "\u{e9}",
      "e\u{301}", "\u{202e}x", String(repeating: "long", count: 10_000),
    ]
    try history.write { writer in
      _ = try writer.beginSession(.test())
      let numbers = try names.map { try writer.intern(name: $0) }
      #expect(numbers == Array(1...Int32(names.count)))
      #expect(try names.map { try writer.intern(name: $0) } == numbers)
      try writer.append(
        numbers.map { EventRow(seq: Int64($0), time: 0, kind: .entered, visit: 1, state: $0) })
    }
    try history.write { writer in
      let numbers = try names.map { try writer.intern(name: $0) }
      #expect(numbers == Array(1...Int32(names.count)))
    }
    let stored = try HistoryReader(path: history.path).names()
    for (index, name) in names.enumerated() {
      #expect(stored[Int32(index + 1)].map { Array($0.utf8) } == Array(name.utf8))
    }
    #expect(try history.damage() == nil)
  }

  @Test("two spellings of one file in the code are two places, also when they are copied")
  func spelled() throws {
    let files = ["Caf\u{e9}.swift", "Cafe\u{301}.swift"]
    try history.write { writer in
      let session = try writer.beginSession(.test())
      let sites = try files.map { try writer.intern(site: $0, line: 7) }
      #expect(sites == [1, 2])
      try writer.append(
        sites.map {
          EventRow(seq: Int64($0), time: 0, kind: .enqueued, visit: UInt32($0), site: $0)
        }, to: session)
      try writer.endSession(session, .clean)
    }
    let copy = try TemporaryHistory()
    try copy.write { try HistoryCopy(HistoryReader(path: history.path)).write(into: $0) }
    for place in [history, copy] {
      let sites = try HistoryReader(path: place.path).sites()
      #expect(
        (1...2).map { Array(sites[$0]?.file.utf8 ?? "".utf8) } == files.map { Array($0.utf8) })
      #expect(try place.damage() == nil)
    }
  }

  @Test("100,000 names are found again by number and by text")
  func many() throws {
    try history.write { writer in
      _ = try writer.beginSession(.test())
      for number in 1...100_000 {
        #expect(try writer.intern(name: "state \(number)") == Int32(number))
      }
      try writer.append([
        EventRow(seq: 1, time: 0, kind: .entered, controller: 0, visit: 1, state: 100_000)
      ])
    }
    let reader = try HistoryReader(path: history.path)
    #expect(try reader.name(100_000) == "state 100000")
    #expect(try reader.name(100_001) == nil)
    #expect(try history.damage() == nil)
  }

  @Test("a tool removes the names and places that belong to no session any more, and no others")
  func unused() throws {
    try history.write { writer in
      try SmallHistory.write(writer)
      let session = try writer.beginSession(.test("u2"))
      var snapshot = SnapshotRecord()
      snapshot.routes = [SnapshotRecord.Route(to: "routed")]
      snapshot.routes?[0].from = "start"
      let controller = try writer.addController(
        session: session, name: "screen", policy: "queue", snapshot: snapshot.text)
      let (shown, asked) = (try writer.intern(name: "shown"), try writer.intern(name: "asked"))
      let site = try writer.intern(site: "Other.swift", line: 3)
      var detail = EventDetail(seq: 13)
      detail.asked = asked
      detail.refusedFrom = try writer.intern(name: "from")
      detail.refusedNeeds = try writer.intern(name: "needs")
      try writer.append(
        [
          EventRow(seq: 11, time: 0, kind: .attached, controller: controller),
          EventRow(
            seq: 12, time: 0, kind: .enqueued, controller: controller, visit: 1, state: shown,
            site: site),
          EventRow(
            seq: 13, time: 0, kind: .discarded, reason: EventReason.rejected.code,
            controller: controller, visit: 1, state: shown, cause: 12),
        ], details: [detail], to: session)
      // The ring may have events with it.
      let waiting = try writer.intern(name: "waiting")
      try writer.store(aliases: [Alias(kind: .name, number: 9, id: waiting)], session: session)
      try writer.remove(session: 1)
      try writer.removeUnused()
    }
    #expect(
      try history.query("SELECT text FROM name ORDER BY text") == [
        "asked", "from", "needs", "queue", "routed", "screen", "shown", "start", "waiting",
      ])
    #expect(try history.query("SELECT file FROM site") == ["Other.swift"])
    #expect(try history.damage(session: 2) == nil)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: history.path))
    for gone in ["checkout", "Shop/Checkout.swift"] {
      #expect(bytes.firstRange(of: Data(gone.utf8)) == nil, "\(gone)")
    }
  }

  @Test("numbers that an earlier writer gave can be used after resuming its session")
  func resumed() throws {
    let row = EventRow(
      seq: 2, time: 5, kind: .enqueued, controller: 2, visit: 2, state: 3, site: 2)
    try history.write { writer in
      _ = try writer.beginSession(.test())
      try SmallHistory.names(writer, 1)
    }
    try history.write { writer in
      #expect(throws: HistoryError.unknownNumber(seq: 2)) { try writer.append([row]) }
      try writer.resume(session: 1)
      #expect(try writer.append([row]) == 1)
      let third = try writer.addController(session: 1, name: "late", policy: "queue")
      #expect(third == 3)
      try writer.append([EventRow(seq: 3, time: 6, kind: .attached, controller: third)])
    }
    #expect(try history.damage() == nil)
  }
}
