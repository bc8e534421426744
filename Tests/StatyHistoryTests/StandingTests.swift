import Chance
import Staty
import StatyHistory
import Testing

/// Where a controller stands is worked out of its events, in whatever order they are stored.
@Suite struct StandingTests {
  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `the order of storing does not matter`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let events = Self.visits(using: &random)
    var inOrder = ControllerStanding()
    for event in events { inOrder.take(event.row, hasPayload: event.hasPayload) }
    var shuffled = ControllerStanding()
    for event in events.shuffled(using: &random) {
      shuffled.take(event.row, hasPayload: event.hasPayload)
    }
    #expect(shuffled.last?.visit == inOrder.last?.visit, "seed \(seed)")
    #expect(shuffled.last?.isIn == inOrder.last?.isIn, "seed \(seed)")
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `what is stored leads on as if nothing had been`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let events = Self.visits(using: &random)
    let history = try TemporaryHistory()
    var whole = ControllerStanding()
    try history.write { writer in
      _ = try writer.beginSession(.test())
      _ = try writer.intern(name: "state")
      _ = try writer.addController(session: 1, name: "checkout", policy: "queue")
    }
    var rest = events[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Int.random(in: 1...5, using: &random))
      rest = rest.dropFirst(batch.count)
      try history.write { writer in
        try writer.resume(session: 1)
        let details = batch.filter(\.hasPayload).map { event in
          var detail = EventDetail(seq: event.row.seq)
          detail.payload = [1]
          return detail
        }
        try writer.append(batch.map(\.row), details: details)
      }
      for event in batch { whole.take(event.row, hasPayload: event.hasPayload) }
      let found = try HistoryReader(path: history.path).standing(of: "checkout", except: "")
      #expect(found?.visit == whole.last, "seed \(seed)")
    }
  }

  @Test func `a controller that lets go of nothing does not fill the file`() throws {
    var standing = ControllerStanding()
    for visit in 1...1_000 as ClosedRange<UInt32> {
      standing.take(Self.row(Int64(visit), .entered, visit), hasPayload: false)
    }
    #expect(standing.rows.count < 200)
    #expect(standing.last?.visit == 1_000)
  }

  private struct Event {
    var row: EventRow
    var hasPayload = false
  }

  /// Some visits one after the other: asked for, and then in and perhaps out again, or discarded.
  private static func visits(using random: inout SeededRandom) -> [Event] {
    var events: [Event] = []
    for visit in 1...UInt32.random(in: 1...12, using: &random) {
      let hasPayload = Bool.random(using: &random)
      var kinds: [EventKind] = [.enqueued, .entered, .exited]
      switch Int.random(in: 0...5, using: &random) {
      case 0: kinds.removeLast()
      case 1: kinds = [.enqueued, .discarded]
      default: break
      }
      for kind in kinds {
        let row = row(Int64(events.count + 1), kind, visit)
        // A discarded one's payload may come after it is forgotten, and is then held for longer.
        let isHeld = kind == .enqueued && hasPayload && !kinds.contains(.discarded)
        events.append(Event(row: row, hasPayload: isHeld))
      }
    }
    return events
  }

  private static func row(_ seq: Int64, _ kind: EventKind, _ visit: UInt32) -> EventRow {
    EventRow(seq: seq, time: seq, kind: kind, controller: 1, visit: visit, state: 1)
  }
}
