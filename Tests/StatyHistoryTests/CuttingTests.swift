import Foundation
import Staty
import StatyHistory
import Testing

@Suite("A session whose beginning is cut off")
struct CuttingTests {
  let history: TemporaryHistory

  /// 200 numbers of which every twentieth is lost, in runs of 20 events.
  init() throws {
    history = try TemporaryHistory()
    try history.write { writer in
      let session = try writer.beginSession(.test())
      try SmallHistory.names(writer, session)
      try writer.append(Self.rows, details: Self.details, to: session, observed: 200)
      try writer.recordMissing(from: 1, through: 200) { _ in "overload" }
      try writer.endSession(session, .clean)
      try writer.reseal(session: session, longestRun: 20)
    }
  }

  private static let rows = (Int64(1)...200).filter { $0 % 20 != 10 }.map { seq in
    EventRow(
      seq: seq, time: seq * 10, kind: seq == 1 ? .attached : .enqueued, controller: 1,
      visit: UInt32(seq), state: 2)
  }

  private static let details = (Int64(1)...9).map { place in
    var detail = EventDetail(seq: place * 20)
    detail.origin = 3
    if place == 5 { detail.payload = [1, 2] }
    return detail
  }

  private static let standing = ControllerAtCut(
    controller: 1, cut: ControllerCut(.known, since: 44, time: 430), snapshot: #"{"a":1}"#)

  private func cut(times: Int, keeping runs: Int = 2) throws {
    try history.write { writer in
      for _ in 0..<times {
        guard let oldest = try writer.oldest(session: 1, keeping: runs) else { return }
        try writer.cut(session: 1, through: oldest.upperBound, [Self.standing])
      }
    }
  }

  @Test func `the rest is whole, and the file says what is gone`() throws {
    try cut(times: 2)
    #expect(try history.damage() == nil)
    #expect(try history.query("SELECT events, pruned, lost FROM sessions") == ["150|40|10"])
    #expect(try history.rows().map(\.seq) == Self.rows.map(\.seq).filter { $0 > 42 })
    #expect(try history.details() == Self.details.filter { $0.seq > 42 })
    let session = try HistoryReader(path: history.path).session(1)
    #expect(session.cut == SessionCut(seq: 43, events: 40, time: 420))
    #expect(session.keptSeq == 43)
    #expect(
      try history.query("SELECT * FROM losses LIMIT 2") == [
        "1|10|30|2|overload", "1|50|50|1|overload",
      ])
  }

  @Test func `the newest runs always stay`() throws {
    try cut(times: 100)
    #expect(try history.damage() == nil)
    #expect(try history.query("SELECT events, pruned, lost FROM sessions") == ["30|160|10"])
  }

  @Test(arguments: [
    "UPDATE cut SET seq = seq + 1", "UPDATE cut SET events = events + 1",
    "UPDATE cut SET t_us = t_us + 1", "UPDATE cut SET sum = sum + 1", "DELETE FROM cut",
    "UPDATE controller SET snapshot = '{}' WHERE cut = 1",
    "UPDATE controller SET cut = 0 WHERE id = 1",
    "UPDATE controller SET cut = NULL WHERE id = 1", "UPDATE controller SET cut = 1 WHERE id = 2",
    "UPDATE controller SET since = since + 1", "UPDATE controller SET since_us = since_us + 1",
    "UPDATE chain SET sum = sum + 1 WHERE count = 0", "DELETE FROM chain WHERE count = 0",
    "UPDATE chain SET last_seq = 41 WHERE count = 0", "DELETE FROM event WHERE seq = 43",
    "INSERT INTO event(seq, t, what) VALUES (41, 1, 13)", "UPDATE session SET stored = stored + 1",
    "DELETE FROM event WHERE seq < 64; DELETE FROM chain WHERE first_seq BETWEEN 43 AND 63",
  ])
  func `what is changed at the cut is noticed`(edit: String) throws {
    try cut(times: 2)
    try history.tamper(edit)
    #expect(try history.damage() != nil)
  }

  @Test func `what was cut off does not come back, and is not lost either`() throws {
    try cut(times: 3)
    try history.write { writer in
      let stored = try writer.append(Self.rows, details: Self.details, to: 1)
      let missing = try writer.recordMissing(from: 1, through: 200) { _ in "unfinished" }
      #expect(stored == 0)
      #expect(missing == 0)
    }
    #expect(try history.damage() == nil)
    #expect(try history.query("SELECT events, pruned, lost FROM sessions") == ["130|60|10"])
  }

  @Test func `it goes on, is sealed anew and is removed as any other`() throws {
    try cut(times: 2)
    try history.write { writer in
      try writer.resume(session: 1)
      try writer.append(
        [EventRow(seq: 201, time: 2_010, kind: .enqueued, controller: 1, visit: 201, state: 2)])
      // One that was late, but not too late.
      try writer.append([EventRow(seq: 50, time: 1, kind: .mark)])
    }
    #expect(try history.damage() == nil)
    try history.tamper("UPDATE name SET text = 'secret' WHERE text = 'checkout'")
    #expect(try history.damage() != nil)
    try history.write { try $0.reseal(session: 1) }
    #expect(try history.damage() == nil)
    #expect(try history.query("SELECT events, pruned FROM sessions") == ["152|40"])
    try history.write { try $0.reseal(session: 1, longestRun: 20) }
    try cut(times: 1, keeping: 1)
    #expect(try history.damage() == nil)
    #expect(try history.query("SELECT count(*) FROM cut") == ["1"])
    try history.write { try $0.remove(session: 1) }
    #expect(try history.query("SELECT count(*) FROM cut") == ["0"])
  }

  @Test func `a copy is cut like the file`() throws {
    try cut(times: 2)
    let copy = try TemporaryHistory()
    try history.write { try $0.copy(to: copy.path) }
    #expect(try copy.damage() == nil)
    #expect(try copy.query("SELECT pruned FROM sessions") == ["40"])
  }

  @Test func `who reads while it is cut reads on, and an old place is an empty one`() throws {
    let reader = try HistoryReader(path: history.path)
    let events = try reader.events(session: 1)
    let first = try events.next()
    try cut(times: 4)
    var count = 1
    while try events.next() != nil { count += 1 }
    #expect(first?.seq == 1)
    #expect(count == Self.rows.count)
    let later = try HistoryReader(path: history.path)
    #expect(try later.events(session: 1, from: 1, through: 40).next() == nil)
    #expect(try later.events(session: 1, from: 1).next()?.seq == 85)
    #expect(try later.detail(of: 20) == nil)
  }
}
