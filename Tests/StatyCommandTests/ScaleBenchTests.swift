import Foundation
import Testing

/// The benchmark of long histories runs; its speed does not matter here.
@Suite struct ScaleBenchTests {
  @Test func `a short history goes through all that a long one does`() throws {
    let program = Binary.path + "-bench"
    let run = try Binary(program: program, ["scale", "--events=20000", "--json"])
    #expect(run.status == 0, "\(run.err)")
    let figures = try #require(
      try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: Double])
    #expect(
      Set(figures.keys) == [
        "record_events_per_s_20000", "check_events_per_s_20000", "replay_events_per_s_20000",
        "export_events_per_s_20000", "peak_rss_mb_20000",
      ])
    #expect(figures.values.allSatisfy { $0 > 0 })
    #expect(try Binary(program: program, ["scale", "--events=many"]).status == 64)
  }
}
