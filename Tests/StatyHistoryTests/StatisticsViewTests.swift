import Staty
import StatyHistory
import StatisticsOracle
import Testing

/// Histories with sums that are computed by hand.
@Suite struct StatisticsViewTests {
  let history: TemporaryHistory

  init() throws { history = try TemporaryHistory() }

  private func rows(_ view: String, _ columns: String = "*") throws -> [String] {
    // What is computed without the views is held against the same histories.
    #expect(try ViewRows.firstDifference(at: history.path) == nil)
    return try history.query("SELECT \(columns) FROM \(view)")
  }

  /// A queue: the alert is asked for while the content is in, and another loading right after it.
  private func tellQueue() throws {
    try history.tell { tale in
      try tale.controller()
      tale.visit(1, "loading", asked: 10, told: 10, entered: 40)
      tale.add(100, .enqueued, 2, "content")
      tale.add(100, .exiting, 1, "loading")
      tale.add(130, .exited, 1, "loading")
      tale.add(150, .entering, 2, "content")
      tale.add(160, .entered, 2, "content")
      tale.add(200, .enqueued, 3, "alert")
      tale.add(200, .exiting, 2, "content")
      tale.add(210, .enqueued, 4, "loading")
      tale.add(260, .exited, 2, "content")
      tale.add(260, .entering, 3, "alert")
      tale.add(300, .entered, 3, "alert")
      tale.add(300, .exiting, 3, "alert")
      tale.add(340, .exited, 3, "alert")
      tale.add(345, .entering, 4, "loading")
      tale.add(365, .entered, 4, "loading")
      tale.add(400, .enqueued, 5, "content")
      tale.add(400, .exiting, 4, "loading")
      tale.add(420, .enqueued, 6, "alert")
      tale.add(430, .discarded, 6, "alert", .cancelled)
      try tale.end(at: 1_000)
    }
  }

  @Test func `dwell says how long states were in, up to now where they still are`() throws {
    try tellQueue()
    #expect(
      try rows("dwell") == [
        // 40 to 130, and 365 to the end.
        "1|checkout|loading|2|1|0|725.0|362.5|90.0|635.0|635.0",
        "1|checkout|content|1|0|0|100.0|100.0|100.0|100.0|100.0",
        "1|checkout|alert|1|0|0|40.0|40.0|40.0|40.0|40.0",
      ])
  }

  @Test func `waits says how long it took until states were told to enter`() throws {
    try tellQueue()
    #expect(
      try rows("waits") == [
        // At once, and 210 to 345.
        "1|checkout|loading|2|0|67.5|0.0|135.0|135.0",
        // 100 to 150, and 400 to the end.
        "1|checkout|content|2|1|325.0|50.0|600.0|600.0",
        // The cancelled one is left out.
        "1|checkout|alert|1|0|60.0|60.0|60.0|60.0",
      ])
  }

  @Test func `slowest says what took a move its time`() throws {
    try tellQueue()
    #expect(
      try rows("slowest") == [
        // Behind the alert until 300, which leaves until 340; 5 later it is told to enter.
        "1|checkout|4|alert|loading|210.0|155.0|90.0|40.0|5.0|20.0",
        "1|checkout|3|content|alert|200.0|100.0|0.0|60.0|0.0|40.0",
        "1|checkout|2|loading|content|100.0|60.0|0.0|30.0|20.0|10.0",
        "1|checkout|1||loading|10.0|30.0|0.0|0.0|0.0|30.0",
      ])
  }

  @Test func `stuck lists the visits that have not come to rest, and the ones that they wait for`()
    throws
  {
    try tellQueue()
    #expect(
      try rows("stuck") == [
        "1|checkout|4|loading|exiting|600.0|exited of 4 loading",
        "1|checkout|5|content|waiting|600.0|exited of 4 loading",
      ])
  }

  @Test func `states shown at the same time count each, and no visit waits for one that exits`()
    throws
  {
    try history.tell { tale in
      try tale.controller()
      tale.visit(1, "a", asked: 0, told: 0, entered: 10)
      tale.add(100, .enqueued, 2, "b")
      tale.add(100, .exiting, 1, "a")
      tale.add(100, .entering, 2, "b")
      tale.add(120, .entered, 2, "b")
      tale.add(150, .exited, 1, "a")
      try tale.end(at: 200)
    }
    #expect(
      try rows("dwell", "state, visits, still_open, total_ms") == ["a|1|0|140.0", "b|1|1|80.0"])
    #expect(
      try rows("slowest", "visit, total_ms, behind_ms, exit_ms, gap_ms, enter_ms") == [
        "2|20.0|0.0|0.0|0.0|20.0", "1|10.0|0.0|0.0|0.0|10.0",
      ])
    #expect(try rows("stuck") == [])
  }

  @Test func `a state that exits by itself lets the next enter without being told to exit`() throws
  {
    try history.tell { tale in
      try tale.controller()
      tale.visit(1, "a", asked: 0, told: 0, entered: 10)
      tale.add(50, .enqueued, 2, "b")
      tale.add(90, .exited, 1, "a")
      tale.add(95, .entering, 2, "b")
      tale.add(100, .entered, 2, "b")
      try tale.end(at: 100)
    }
    #expect(
      try rows("slowest", "total_ms, behind_ms, exit_ms, gap_ms, enter_ms").first
        == "50.0|40.0|0.0|5.0|5.0")
  }

  @Test func `percentiles are of the nearest rank`() throws {
    try history.tell { tale in
      try tale.controller()
      for visit in 1...20 as ClosedRange<UInt32> {
        let begin = Int64(visit) * 100
        tale.visit(
          visit, "a", asked: begin, told: begin, entered: begin, out: begin + Int64(visit))
      }
      try tale.end(at: 9_000)
    }
    // The 10th and the 19th of 1, 2, 3 … 20.
    #expect(try rows("dwell", "p50_ms, p95_ms, max_ms, mean_ms") == ["10.0|19.0|20.0|10.5"])
  }

  @Test func `controllers of one name are summed up together, sessions apart`() throws {
    try history.write { writer in
      let first = try Tale(writer)
      try first.controller()
      try first.controller()
      first.visit(1, "a", asked: 0, told: 1, entered: 2, out: 12)
      first.visit(1, "a", asked: 0, told: 3, entered: 4, out: 24, controller: 1)
      try first.end(at: 100)
      let second = try Tale(writer, "u2", from: first.seq + 1)
      try second.controller()
      second.visit(1, "a", asked: 0, told: 5, entered: 6, out: 46)
      try second.end(at: 100, .killed)
    }
    #expect(
      try rows("dwell", "session, visits, total_ms, max_ms") == ["1|2|30.0|20.0", "2|1|40.0|40.0"])
    #expect(
      try rows("waits", "session, visits, mean_ms, max_ms") == ["1|2|2.0|3.0", "2|1|5.0|5.0"])
    #expect(try rows("transitions", "session, \"from\", \"to\", n") == ["1||a|2", "2||a|1"])
  }
}
