import CStatyRing
import Staty
import StatyHistory
import Testing

@testable import StatyRecorder

/// An event whose number was drawn, and that arrives late or never, as if the app's code for its payload
/// blocked the thread.
@Suite struct OverdueTests {
  private let place: Place
  private let clocks = Clocks()

  init() throws {
    place = try Place()
  }

  @Test func `an event in flight counts as lost after a minute, until it arrives`() throws {
    let recorder = try HistoryRecorder(
      at: place.path, options: RecorderOptions(), clock: clocks.clock)
    recorder.mark("before")
    try recorder.flush()
    let late = recorder.core.numbering.next()
    recorder.mark("after")
    try recorder.flush()
    clocks.pass(seconds: 30)
    recorder.mark("soon after")
    try recorder.flush()
    #expect(try place.query("SELECT count FROM losses") == [])
    clocks.pass(seconds: 31)
    recorder.mark("a minute after")
    try recorder.flush()
    #expect(
      try place.query("SELECT first_seq, last_seq, count, reason FROM losses")
        == ["2|2|1|unfinished"])
    #expect(recorder.statistics.inFlight == 1)
    recorder.core.put(mark(late))
    try recorder.flush()
    #expect(try place.query("SELECT count FROM losses") == [])
    recorder.close()
    #expect(try place.query("SELECT ended, events, lost FROM sessions") == ["clean|5|0"])
    #expect(try place.unaccounted() == ["0"])
    #expect(try place.firstDamage() == nil)
  }

  @Test func `it counts as lost even if nothing else happens`() throws {
    let recorder = try HistoryRecorder(
      at: place.path, options: RecorderOptions(), clock: clocks.clock)
    recorder.mark("before")
    try recorder.flush()
    _ = recorder.core.numbering.next()
    try recorder.flush()
    clocks.pass(seconds: 61)
    // The writer has parked for a minute of the system's clock.
    recorder.core.ring.wake()
    #expect(eventually { try place.query("SELECT reason FROM losses") == ["unfinished"] })
    recorder.close()
  }

  @Test func `sessions are continued although an event never arrives`() throws {
    var options = RecorderOptions()
    options.retention = Retention(age: .seconds(800))
    let recorder = try HistoryRecorder(at: place.path, options: options, clock: clocks.clock)
    recorder.mark("first")
    try recorder.flush()
    let late = recorder.core.numbering.next()
    for _ in 0..<20 {
      recorder.mark("look")
      try recorder.flush()
      clocks.pass(seconds: 120)
    }
    // The first one was deleted.
    let isDeleted = eventually {
      try place.query("SELECT min(session) > 1 FROM sessions") == ["1"]
    }
    #expect(isDeleted)
    // Its number belongs to an earlier session.
    recorder.core.put(mark(late))
    try recorder.flush()
    #expect(recorder.statistics.lost == 1 && recorder.statistics.inFlight == 0)
    recorder.close()
    #expect(try Set(place.unaccounted()) == ["0"])
    for session in try place.query("SELECT session FROM sessions").compactMap({ Int64($0) }) {
      #expect(try place.firstDamage(session: session) == nil)
    }
  }

  private func mark(_ number: UInt64) -> RingRecord {
    var record = RingRecord()
    record.number = number
    record.time = EventSource.clock
    record.kind = EventKind.mark.rawValue
    return record
  }
}
