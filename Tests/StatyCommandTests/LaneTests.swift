import Staty
import StatyHistory
import Testing

@testable import StatyReport

/// What lanes are made of, and where they stand.
@Suite struct LaneTests {
  private func fold(lastVisit: UInt32 = 0) -> VisitFold {
    var (fold, snapshot) = (VisitFold(), SnapshotRecord())
    snapshot.lastVisit = lastVisit
    for id in Int32(1)...2 {
      fold.add(
        ControllerRecord(
          id: id, session: 1, name: "checkout", policy: "queue", discipline: 1,
          fidelity: 1, snapshot: snapshot.text))
    }
    return fold
  }

  private func fold(_ story: Story) -> VisitFold {
    var fold = fold()
    for row in story.rows { _ = fold.take(row) }
    return fold
  }

  /// A story that is read to its end.
  private func reading(_ story: Story, lastVisit: UInt32 = 0) -> SessionLanes {
    var reading = SessionLanes(
      fold(lastVisit: lastVisit), endTime: story.rows.last?.time ?? 0, SessionLanes.Choice())
    for row in story.rows { reading.take(row, nil) }
    reading.finish()
    return reading
  }

  @Test func `of a long label the name of the controller is shortened`() {
    var story = Story()
    story.add(.enqueued, 1)
    story.add(.entering, 1)
    func lane(_ controller: String, _ visit: String) -> String? {
      LanePicture(story.rows, marked: nil) { _, _, _ in (controller, visit) }.lines(width: 60)
        .dropFirst().first
    }
    #expect(lane("checkout", "#1 alert")?.hasPrefix("checkout #1 alert  ") == true)
    #expect(
      lane("CheckoutCoordinator", "#1 alert")?.hasPrefix("CheckoutCo… #1 alert  ") == true)
    #expect(
      lane("checkout", "#1 anAlertWithALongName")?.hasPrefix("#1 anAlertWithALong…  ") == true)
    #expect(lane("", "alert 2")?.hasPrefix("alert 2  ") == true)
  }

  @Test func `a visit that was told to exit while it waits is still waiting`() throws {
    var story = Story()
    story.add(.enqueued, 1)
    story.add(.exiting, 1)
    let standing = try #require(fold(story).overview(of: 1))
    #expect(standing.onStage.isEmpty)
    #expect(standing.waiting.map(\.visit) == [1])
    #expect(reading(story).gathering.chosen.map(\.phase) == [.pending])
  }

  @Test func `what happens to a visit that is over does not bring it back`() throws {
    var story = Story.overlapping()
    story.add(.exiting, 1)
    story.add(.stray, 1, .strayExited)
    story.add(.enqueued, 1)
    story.add(.entering, 1)
    let standing = try #require(fold(story).overview(of: 1))
    #expect(standing.onStage.map(\.visit) == [2])
    #expect(standing.waiting.isEmpty)
    let lanes = reading(story).gathering.chosen
    #expect(lanes.map(\.phase) == [.exited, .current])
    #expect(lanes[0].steps.suffix(5).map(\.phase) == [.exited, nil, nil, nil, nil])
    story.add(.exited, 2)
    #expect(try #require(fold(story).overview(of: 1)).last?.visit == 2)
  }

  @Test func `a visit that is told to enter again does not enter again`() throws {
    var story = Story()
    for kind in [EventKind.enqueued, .entering, .entered, .entering] { story.add(kind, 1) }
    #expect(try #require(fold(story).overview(of: 1)).onStage.map(\.progress) == [.entered])
    #expect(reading(story).gathering.chosen.map(\.phase) == [.current])
  }

  @Test func `where a controller stood at its beginning is where its lanes begin`() throws {
    var story = Story()
    story.add(.stood, 3, .stoodEntered)
    story.add(.stood, 4, .stoodWaiting)
    story.note("later")
    let lanes = reading(story, lastVisit: 4).gathering.chosen
    #expect(lanes.map(\.key.visit) == [3, 4])
    #expect(lanes.map(\.phase) == [.current, .pending])
    let axis = LaneAxis(story.rows.map(\.seq), cell: 2)
    #expect(
      lanes.map { String(LaneDrawing.cells($0, on: axis).map(\.character)) } == [
        "   =====", "     ...",
      ])
  }

  @Test func `a visit is seen no longer than its controller is recorded`() throws {
    var story = Story()
    story.add(.enqueued, 1)
    story.add(.entering, 1)
    story.add(.entered, 1)
    story.add(.detached)
    story.note("later")
    let reading = reading(story)
    let lane = try #require(reading.gathering.chosen.first)
    let end = try #require(reading.fold.stage(of: 1)?.detached)
    #expect(lane.detached?.time == end)
    let axis = LaneAxis(story.rows.map(\.seq), cell: 2)
    #expect(String(LaneDrawing.cells(lane, on: axis).map(\.character)) == "   ?.>-[=|  ")
    // What is after the time that is meant does not cut it off.
    #expect(lane.cut(to: 0...end - 1).detached == nil)
    #expect(reading.fold.stage(of: 2)?.detached == nil)
  }

  @Test func `after a gap nothing is drawn of a visit that was not heard of again`() throws {
    var story = Story()
    story.add(.enqueued, 1)
    story.add(.entering, 1)
    story.add(.entered, 1)
    var reading = SessionLanes(fold(), endTime: 50_000, SessionLanes.Choice())
    for row in story.rows { reading.take(row, nil) }
    let axis = LaneAxis([2, 3, 4, 5, 7], cell: 2)
    reading.lose(LossRecord(firstSeq: 5, lastSeq: 6, count: 2, reason: ""))
    reading.finish()
    let lane = try #require(reading.gathering.chosen.first)
    #expect(reading.unknown == [lane.key: 5])
    #expect(reading.fold.visit(1, of: 1)?.isLost == true)
    let cells = LaneDrawing.cells(lane, on: axis, unknownFrom: 5)
    #expect(String(cells.map(\.character)) == " ?.>-[=:::")
  }

  @Test func `of a visit that stood there when recording began after a gap nothing is doubtful`()
    throws
  {
    var fold = fold(lastVisit: 4)
    fold.lose(LossRecord(firstSeq: 1, lastSeq: 8, count: 8, reason: ""))
    _ = fold.take(EventRow(seq: 9, time: 5, kind: .attached, controller: 1))
    _ = fold.take(
      EventRow(
        seq: 10, time: 5, kind: .stood, reason: EventReason.stoodWaiting.code, controller: 1,
        visit: 4))
    #expect(try #require(fold.visit(4, of: 1)).isLost == false)
  }

  @Test func `each event has a column of its own where there is room, in order`() {
    let times: [Int64] = [0, 1, 2, 3_000, 3_001, 900_000]
    let moments = times.enumerated().map {
      LaneAxis.Moment(seq: Int64($0.offset), time: $0.element)
    }
    let axis = LaneAxis(moments, width: 30) { _ in 2 }
    let columns = moments.map { axis.place(of: $0.seq) }
    #expect(Set(columns).count == 6 && columns == columns.sorted())
    #expect(columns.first == 0 && columns.last == 29)
    #expect(axis.folds.isEmpty)
  }

  @Test func `idle time is folded where it is far longer than what happens`() {
    func folds(_ seconds: Double...) -> [Int64] {
      var time = 0.0
      var moments = [LaneAxis.Moment(seq: 0, time: 0)]
      for (place, gap) in seconds.enumerated() {
        time += gap
        moments.append(.init(seq: Int64(place) + 1, time: Int64(time * 1_000_000)))
      }
      return LaneAxis(moments, width: 80) { _ in 6 }.folds.map { ($0.length + 50_000) / 100_000 }
    }
    #expect(folds(0.3, 60, 0.3, 60, 0.4) == [600, 600])
    #expect(folds(0.3, 5, 0.3, 60) == [50, 600])
    // Below a second it is part of what happens, and a steady pace is no idling.
    #expect(folds(0.01, 0.9, 0.01) == [])
    #expect(folds(2, 3, 2, 4, 5) == [])
    #expect(folds(60) == [])
  }

  @Test(arguments: 0..<40) func `events without sense are drawn in the columns there are`(
    seed: UInt64
  ) {
    var random = Generator(state: seed)
    var reading = SessionLanes(fold(), endTime: 1_000_000, SessionLanes.Choice())
    var moments: [LaneAxis.Moment] = []
    for seq in 1...300 {
      if random.below(50) == 0 {
        let seq = Int64(seq)
        reading.lose(LossRecord(firstSeq: seq, lastSeq: seq, count: 0, reason: ""))
      }
      var row = EventRow(
        seq: Int64(seq), time: Int64(random.below(1_000_000)) - 500, kind: .mark,
        reason: UInt8(random.below(16)), controller: Int32(random.below(3)),
        visit: UInt32(random.below(9)), state: Int32(random.below(4)))
      row.kind = UInt8(random.below(18))
      moments.append(.init(seq: row.seq, time: row.time))
      reading.take(row, nil)
    }
    reading.finish()
    let lanes = reading.gathering.chosen
    #expect(!lanes.isEmpty)
    for width in [1, 8, 77] {
      let axis = LaneAxis(moments, width: width) { _ in 5 }
      for lane in lanes {
        let cells = LaneDrawing.cells(lane, on: axis, isStuck: true)
        #expect(cells.count == axis.width, "seed \(seed)")
        let cut = lane.cut(to: 200...400_000)
        #expect(cut.steps.first?.time ?? 200 >= 200, "seed \(seed)")
        #expect(cut.steps.last?.time ?? 0 <= 400_000, "seed \(seed)")
      }
    }
  }
}

/// Numbers that are the same for the same seed.
struct Generator {
  var state: UInt64

  mutating func below(_ end: UInt64) -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return (mixed ^ (mixed >> 31)) % end
  }
}
