import Foundation
import Staty
import StatyHistory
import Testing

@testable import StatyRecorder

/// The file cannot be written, and the ring becomes full.
@Suite struct OverloadTests {
  let place: Place

  init() throws {
    place = try Place()
  }

  /// Records while another connection has locked the file, then closes the recorder.
  private func record(
    _ options: RecorderOptions = RecorderOptions(), _ body: (HistoryRecorder) throws -> Void
  ) throws -> RecorderStatistics {
    let recorder = try HistoryRecorder(at: place.path, options: options)
    try recorder.flush()
    try place.whileLocked { try body(recorder) }
    recorder.close()
    return recorder.statistics
  }

  @Test func `a call site that could not be noted gets its own number later`() throws {
    let ring = try FlightRing(
      creatingAt: place.path + "-ring", options: RingOptions(records: 4, logBytes: 4_096))
    let core = RecorderCore(ring: ring, options: RecorderOptions())
    let first = RequestSite(file: "Checkout.swift", line: 1)
    let second = RequestSite(file: "Checkout.swift", line: 2)
    let reader = RingReader(of: ring)
    while core.note(.mark(event: 1, text: "full")) {}
    #expect(core.number(of: first) == 0)
    #expect(core.number(of: second) == 0)
    reader.release(reader.drain(upTo: 64))
    let numbers = [second, first, second].map(core.number(of:))
    #expect(numbers[0] != 0 && numbers[1] != 0 && numbers[0] != numbers[1])
    #expect(numbers[2] == numbers[0])
    #expect(reader.drain(upTo: 64).entries.count == 2, "each is noted once")
  }

  @Test func `a limit of zero or fewer bytes for payloads does not trap`() throws {
    var options = RecorderOptions()
    options.mostPayloadBytes = -1
    let recorder = try HistoryRecorder(at: place.path, options: options)
    let controller = StateController<Page>()
    recorder.attach(to: controller, as: "checkout")
    controller.transition(to: Instant("content", payload: .open("text")))
    recorder.close()
    #expect(try place.query("SELECT payload FROM history WHERE kind = 'enqueued'") == ["cut:"])
  }

  @Test func `when the ring is nearly full, payloads are left out and every event is kept`() throws
  {
    let page = Page()
    let statistics = try record { recorder in
      let controller = StateController<Page>()
      recorder.attach(to: controller, as: "checkout")
      controller.bind(to: page)
      for number in 0..<1_000 {
        let payload = String(repeating: "p", count: 3_000)
        controller.transition(
          to: Instant("content", payload: number.isMultiple(of: 2) ? .open(payload) : .omitted))
      }
    }
    #expect(statistics.lost == 0)
    #expect(statistics.payloadsLeftOut > 100)
    #expect(
      try place.query("SELECT events, lost, payloads_left_out FROM sessions")
        == ["\(statistics.observed)|0|\(statistics.payloadsLeftOut)"])
    #expect(
      try place.query(
        "SELECT count(*) FROM history WHERE payload = CAST('(left out: no room)' AS BLOB)")
        == ["\(statistics.payloadsLeftOut)"])
    #expect(
      try place.query("SELECT count(*) FROM history WHERE kind = 'enqueued' AND payload IS NULL")
        == ["0"])
    // The last state's payload was left out, and the mark in its place is not returned as its payload.
    let next = try HistoryRecorder(at: place.path)
    #expect(next.lastState(of: "checkout")?.state == "content")
    #expect(next.lastState(of: "checkout")?.payload == nil)
    next.close()
  }

  @Test func `by default, a thread can record 28,672 events that are not stored yet`() throws {
    let most = UInt64(RecorderOptions().eventsPerThread)
    let page = Page()
    let statistics = try record { recorder in
      let controller = StateController<Page>()
      recorder.attach(to: controller, as: "checkout")
      controller.bind(to: page)
      // A transition has fewer events.
      while recorder.statistics.observed + 16 <= most {
        controller.transition(to: Instant("content"))
      }
      while recorder.statistics.observed < most { recorder.mark("note") }
      #expect(recorder.statistics.observed == 28_672)
      #expect(recorder.statistics.stored == 0)
    }
    #expect(statistics.lost == 0)
    #expect(try place.query("SELECT events >= 28672, lost FROM sessions") == ["1|0"])
  }

  @Test func `an event that finds its lane full is lost because of overload`() throws {
    var options = RecorderOptions()
    options.eventsPerThread = 64
    let statistics = try record(options) { recorder in
      for _ in 0..<200 { recorder.mark("note") }
    }
    #expect((64..<128).contains(statistics.stored))
    #expect(
      try place.query("SELECT count, reason FROM losses")
        == ["\(200 - statistics.stored)|overload"])
  }

  @Test func `behind a loss a controller goes on under another number, and each visit counts once`()
    throws
  {
    var options = RecorderOptions()
    options.eventsPerThread = 64
    let recorder = try HistoryRecorder(at: place.path, options: options)
    let controller = StateController<Page>(policy: .queue)
    recorder.attach(to: controller, as: "screen")
    let page = Page()
    controller.bind(to: page)
    controller.transition(to: Patient("content"))
    controller.transition(to: Instant("alert"))
    try recorder.flush()
    try place.whileLocked {
      while recorder.statistics.lost == 0 { recorder.mark("no room") }
    }
    try recorder.flush()
    // The first of them notices the loss.
    controller.transition(to: Instant("next"))
    controller.transition(to: Instant("last"))
    recorder.close()
    let boundaries = try place.query(
      """
      SELECT kind, reason, visit FROM history
      WHERE kind IN ('attached', 'stood', 'detached') ORDER BY seq
      """)
    #expect(
      boundaries == [
        "attached||", "detached|continues|", "attached||", "stood|exiting|1", "stood|waiting|2",
        "stood|waiting|3",
      ])
    #expect(
      try place.query("SELECT visit, outcome FROM visits ORDER BY visit")
        == ["1|open", "2|open", "3|open", "4|open"])
    // On a busy machine the first may have taken long to exit.
    #expect(try place.query("SELECT code FROM violations WHERE code <> 'never-exited'") == [])
  }

  @Test func `an event whose note fails is lost, with this reason`() throws {
    let statistics = try record { recorder in
      let text = String(repeating: "m", count: 4_000)
      for _ in 0..<400 { recorder.mark(text) }
    }
    #expect(statistics.lost > 0)
    #expect(
      try place.query("SELECT sum(count), min(reason), max(reason) FROM losses")
        == ["\(statistics.lost)|unnoted|unnoted"])
  }

  @Test func `a ring for more events has more room for their texts`() throws {
    #expect(RingOptions(eventsPerThread: 64).logBytes == 1 << 20)
    #expect(RingOptions(eventsPerThread: 28_672) == RingOptions())
    #expect(RingOptions(eventsPerThread: .max).logBytes == 1 << 28)
    var options = RecorderOptions()
    options.eventsPerThread = 1 << 16
    let statistics = try record(options) { recorder in
      let text = String(repeating: "m", count: 4_000)
      for _ in 0..<400 { recorder.mark(text) }
    }
    #expect(statistics.lost == 0)
  }

  @Test func `if two reasons are possible for a loss, both are named`() throws {
    var options = RecorderOptions()
    options.eventsPerThread = 64
    let statistics = try record(options) { recorder in
      let text = String(repeating: "m", count: 4_000)
      let controller = StateController<Page>()
      recorder.attach(to: controller, as: "checkout")
      for number in 0..<100 { controller.transition(to: Instant(StateName("fits \(number)"))) }
      for _ in 0..<400 { recorder.mark(text) }
    }
    #expect(statistics.stored + statistics.lost == statistics.observed)
    #expect(
      try place.query("SELECT sum(count) FROM losses") == ["\(statistics.lost)"])
    #expect(
      try place.query("SELECT DISTINCT reason FROM losses") == ["overload or unnoted"])
  }

  @Test func `lost events that were not counted are called unfinished`() {
    var counts = LossCounts()
    #expect(counts.reason(3) == "unfinished")
    counts.overload = 3
    #expect(counts.reason(3) == "overload")
    #expect(counts.reason(4) == "overload or unfinished")
    counts.torn = 1
    counts.subtract(3, reason: "overload")
    #expect(counts.reason(1) == "torn")
    counts.subtract(9, reason: "torn")
    counts.subtract(9, reason: "a reason of another version")
    #expect(counts.total == 0)
  }
}
