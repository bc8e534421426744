import Chance
import Staty
import StatyHistory
import StatySQLite
import Testing

@Suite("Appending")
struct AppendingTests {
  let history: TemporaryHistory

  init() throws {
    history = try TemporaryHistory()
  }

  private func marks(_ numbers: some Sequence<Int64>) -> [EventRow] {
    numbers.map { EventRow(seq: $0, time: $0 * 3, kind: .mark) }
  }

  @Test("the same rows again change nothing, in this writer or the next")
  func idempotent() throws {
    try history.write { writer in
      try SmallHistory.write(writer)
      #expect(try writer.append(SmallHistory.rows, details: SmallHistory.details) == 0)
    }
    try history.write { writer in
      try writer.resume(session: 1)
      #expect(try writer.append(SmallHistory.rows, details: SmallHistory.details) == 0)
      #expect(try writer.append([]) == 0)
    }
    #expect(try history.rows() == SmallHistory.rows)
    #expect(try history.query("SELECT stored, observed, last_seq FROM session") == ["9|10|10"])
    #expect(try history.query("SELECT count, last_seq FROM chain") == ["9|10"])
    #expect(try history.damage() == nil)
  }

  @Test("rows that are partly stored, doubled and out of order are stored once each")
  func mixed() throws {
    try history.write { writer in
      _ = try writer.beginSession(.test())
      #expect(try writer.append(marks([5, 2, 5, 9])) == 3)
      #expect(try writer.append(marks([9, 1, 2, 7, 12, 7])) == 3)
    }
    #expect(try history.rows().map(\.seq) == [1, 2, 5, 7, 9, 12])
    #expect(try history.query("SELECT stored, observed, last_us FROM session") == ["6|12|36"])
    #expect(try history.damage() == nil)
  }

  @Test("events that come late are taken into the runs in which they belong", arguments: [1, 2, 3])
  func late(seed: UInt64) throws {
    // Batches of neighbours in a shuffled order, over several runs.
    var random = SeededRandom(seed: seed)
    let numbers = (1...20_000).map(Int64.init)
    var batches = stride(from: 0, to: numbers.count, by: 500).map { start in
      marks(numbers[start..<start + 500].shuffled(using: &random))
    }
    batches.shuffle(using: &random)
    try history.write { writer in
      _ = try writer.beginSession(.test())
      for batch in batches { #expect(try writer.append(batch) == 500) }
    }
    #expect(try history.damage() == nil, "seed \(seed)")
    #expect(try history.rows().map(\.seq) == numbers, "seed \(seed)")
    #expect(try history.query("SELECT sum(count) FROM chain") == ["20000"], "seed \(seed)")
  }

  @Test("short batches extend the last run in place, and a run has at most 4,096 events")
  func runs() throws {
    try history.write { writer in
      _ = try writer.beginSession(.test())
      for start in stride(from: Int64(1), to: 10_000, by: 10) {
        try writer.append(marks(start..<start + 10))
      }
    }
    #expect(
      try history.query("SELECT first_seq, last_seq, count FROM chain")
        == ["1|4096|4096", "4097|8192|4096", "8193|10000|1808"])
    #expect(try history.damage() == nil)
  }

  @Test("a detail without its event is left out")
  func orphan() throws {
    try history.write { writer in
      _ = try writer.beginSession(.test())
      try writer.append(marks([1, 3]), details: [EventDetail(seq: 2), EventDetail(seq: 3)])
    }
    #expect(try history.details().map(\.seq) == [3])
    #expect(try history.damage() == nil)
  }

  @Test("numbers that were never given, and another session's, are refused as a whole")
  func unknown() throws {
    try history.write { writer in
      _ = try writer.beginSession(.test())
      for row in [
        EventRow(seq: 2, time: 0, kind: .entered, state: 9),
        EventRow(seq: 2, time: 0, kind: .entered, controller: 9),
        EventRow(seq: 2, time: 0, kind: .enqueued, site: -1),
      ] {
        #expect(throws: HistoryError.unknownNumber(seq: 2)) {
          try writer.append(marks([1]) + [row])
        }
      }
      #expect(throws: HistoryError.foreignNumber(seq: 0, session: 1)) {
        try writer.append(marks([0]))
      }
      #expect(throws: HistoryError.noSession(7)) { try writer.append(marks([1]), to: 7) }
      #expect(try writer.highestSeq() == 0)
      #expect(try writer.append(marks([1])) == 1)
    }
    #expect(try history.damage() == nil)
  }

  @Test("sessions own their numbers, and an older one can still be added to")
  func twoSessions() throws {
    try history.write { writer in
      try SmallHistory.write(writer)
      try writer.recordLoss(first: 11, last: 20, count: 10, reason: "unfinished")
      let second = try writer.beginSession(.test("u2"))
      #expect(second == 2)
      try writer.append(marks(21...25), to: second)
      try writer.append(marks(11...12), to: 1)
      #expect(throws: HistoryError.foreignNumber(seq: 21, session: 1)) {
        try writer.append(marks([21]), to: 1)
      }
      #expect(try writer.openSessions().map(\.uuid) == ["u2"])
      try writer.endSession(second, .killed)
      #expect(throws: HistoryError.noSession(3)) { try writer.endSession(3, .clean) }
    }
    #expect(try history.rows(session: 1).count == 11)
    #expect(try history.rows(session: 2).map(\.seq) == Array(21...25))
    #expect(try history.damage(session: 1) == nil)
    #expect(try history.damage(session: 2) == nil)
  }
}
