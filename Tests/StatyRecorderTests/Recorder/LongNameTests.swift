import Staty
import StatyRecorder
import Testing

/// Long names are cut, because tools print a name in each line.
@Suite struct LongNameTests {
  @Test func `a long name is cut to 1,024 bytes and ends with an ellipsis`() throws {
    let place = try Place()
    let long = String(repeating: "é", count: 3_000)
    let recorder = try HistoryRecorder(at: place.path)
    let probe = ControllerProbe("kind")
    recorder.attach(to: probe, as: long)
    probe.requested(Page(), named: StateName(long))
    recorder.close()
    // 510 of these letters fit into 1,021 bytes, and the ellipsis has three bytes.
    let cut = String(repeating: "é", count: 510) + "…"
    #expect(
      try place.query("SELECT DISTINCT controller FROM history WHERE controller IS NOT NULL") == [
        cut
      ])
    #expect(try place.query("SELECT state FROM history WHERE kind = 'enqueued'") == [cut])
  }
}
