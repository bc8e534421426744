import Staty
import StatyHistory
import StatyReading
import Testing

/// Sessions of several histories in one.
@Suite struct MergeTests {
  @Test func `sessions come in the order in which they began, with new numbers`() throws {
    let (one, other) = (try TemporaryHistory(), try TemporaryHistory())
    try one.write { try session($0, "late", 3_000, count: 5, lost: 2) }
    try other.write {
      try session($0, "middle", 2_000, count: 4)
      try session($0, "early", 1_000, count: 3)
    }
    let (merged, summary) = try merge([one, other])
    #expect(summary.sessions == 3)
    #expect(summary.events == 12)
    #expect(summary.doubles == [])
    #expect(
      try merged.query("SELECT session, uuid, events, lost FROM sessions") == [
        "1|early|3|0", "2|middle|4|0", "3|late|5|2",
      ])
    #expect(
      try merged.query("SELECT session, min(seq), max(seq), sum(cause) FROM history GROUP BY 1")
        == ["1|1|3|2", "2|4|7|12", "3|8|12|32"])
    #expect(try merged.query("SELECT * FROM losses") == ["3|13|14|2|overload"])
    for session in [1, 2, 3] as [Int64] { #expect(try merged.damage(session: session) == nil) }
    // In whatever order they are given.
    #expect(try text(merge([other, one]).0) == text(merged))
  }

  @Test func `a session that is there twice is taken once`() throws {
    let (one, other) = (try TemporaryHistory(), try TemporaryHistory())
    try one.write { try session($0, "same", 1_000, count: 3) }
    try other.write {
      try session($0, "before", 500, count: 9)
      try session($0, "same", 1_000, count: 3)
    }
    let (merged, summary) = try merge([one, other])
    #expect(summary.sessions == 2)
    #expect(summary.doubles.map { [$0.uuid, $0.taken, $0.left] } == [["same", "0", "1"]])
    #expect(try merged.query("SELECT uuid FROM sessions") == ["before", "same"])
  }

  @Test func `a session that says something else in another history is refused`() throws {
    let (one, other) = (try TemporaryHistory(), try TemporaryHistory())
    try one.write { try session($0, "same", 1_000, count: 3) }
    try other.write { try session($0, "same", 1_000, count: 4) }
    let contradiction = #expect(throws: HistoryMerge.Contradiction.self) {
      try merge([one, other])
    }
    #expect(contradiction?.uuid == "same")
    #expect(contradiction?.histories == ["0", "1"])
  }

  @Test func `a session comes behind the one that it continues, also if the clock was set back`()
    throws
  {
    let (one, other, rest) = (
      try TemporaryHistory(), try TemporaryHistory(), try TemporaryHistory()
    )
    try one.write {
      try session($0, "process", 2_000, count: 3)
      try session($0, "going on", 1_000, count: 4, run: "process")
      try session($0, "later", 1_900, count: 2, run: "process")
    }
    try other.write { try session($0, "middle", 1_500, count: 2) }
    // The first one is not kept here any more.
    try rest.write { try session($0, "going on", 1_000, count: 4, run: "process") }
    for histories in [[one, other], [other, one], [rest, one, other], [other, one, rest]] {
      #expect(
        try merge(histories).0.query("SELECT uuid FROM sessions ORDER BY session")
          == ["middle", "process", "going on", "later"])
    }
  }

  @Test func `the numbers that an open session has drawn stay its own`() throws {
    let (one, other) = (try TemporaryHistory(), try TemporaryHistory())
    try one.write { writer in
      let session = try writer.beginSession(.test("open", wallTime: 1_000))
      try writer.append(
        [EventRow(seq: 1, time: 5, kind: .mark)], to: session, observed: 9)
    }
    try other.write { try session($0, "other", 2_000, count: 3) }
    let merged = try merge([one, other]).0
    #expect(try merged.query("SELECT first_seq, observed FROM session") == ["1|9", "10|3"])
    for session in [1, 2] as [Int64] { #expect(try merged.damage(session: session) == nil) }
  }

  private func merge(
    _ histories: [TemporaryHistory]
  ) throws -> (TemporaryHistory, HistoryMerge.Summary) {
    let merged = try TemporaryHistory()
    let sources = try histories.enumerated().map { place, history in
      let reader = try HistoryReader(path: history.path)
      return HistoryMerge.Source("\(place)") { look in
        try reader.consistently { try look(reader) }
      }
    }
    var summary: HistoryMerge.Summary?
    try merged.write { summary = try HistoryMerge(sources).write(into: $0) }
    return (merged, try #require(summary))
  }

  private func text(_ history: TemporaryHistory) throws -> String {
    let reader = try HistoryReader(path: history.path)
    var text = ""
    try HistoryExport(reader).write(reader.sessions()) { text += $0 }
    return text
  }

  /// Each event but the first is caused by the first.
  private func session(
    _ writer: HistoryWriter, _ uuid: String, _ wallTime: Int64, count: Int64, lost: Int64 = 0,
    run: String? = nil
  ) throws {
    var opening = SessionOpening.test(uuid, wallTime: wallTime)
    opening.run = run
    let session = try writer.beginSession(opening)
    let first = try #require(try writer.sessions().first { $0.uuid == uuid }).firstSeq
    let controller = try writer.addController(session: session, name: "c \(uuid)", policy: "queue")
    let state = try writer.intern(name: "s \(uuid)")
    let rows = (0..<count).map { place in
      EventRow(
        seq: first + place, time: place, kind: .enqueued, controller: controller,
        visit: UInt32(place) + 1, state: state, cause: place == 0 ? 0 : first)
    }
    try writer.append(rows, to: session)
    if lost > 0 {
      try writer.recordLoss(
        first: first + count, last: first + count + lost - 1, count: lost, reason: "overload")
    }
    try writer.endSession(session, .clean)
  }
}
