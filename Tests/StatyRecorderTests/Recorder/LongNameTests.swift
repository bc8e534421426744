import Staty
import StatyRecorder
import Testing

/// Of names of any length so much is recorded as a history can show in each line.
@Suite struct LongNameTests {
  @Test func `1,024 bytes of a long name are recorded, and the last are a mark`() throws {
    let place = try Place()
    let long = String(repeating: "é", count: 3_000)
    let recorder = try HistoryRecorder(at: place.path)
    let probe = ControllerProbe("kind")
    recorder.attach(to: probe, as: long)
    probe.requested(Page(), named: StateName(long))
    recorder.close()
    // 1,021 bytes hold 510 such letters, and the mark has three.
    let cut = String(repeating: "é", count: 510) + "…"
    #expect(
      try place.query("SELECT DISTINCT controller FROM history WHERE controller IS NOT NULL") == [
        cut
      ])
    #expect(try place.query("SELECT state FROM history WHERE kind = 'enqueued'") == [cut])
  }
}
