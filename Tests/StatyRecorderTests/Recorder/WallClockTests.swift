import Foundation
import Staty
import StatyHistory
import Testing

@testable import StatyRecorder

/// The column `at` says what the wall clock said, however often it is set.
@Suite struct WallClockTests {
  @Test(arguments: [3_600, -3_600, 2, -2, 86_400 * 365])
  func `a clock that is set is followed, and nothing else is touched`(seconds: Int64) throws {
    let place = try Place()
    let clocks = Clocks()
    let recorder = try HistoryRecorder(
      at: place.path, options: RecorderOptions(), clock: clocks.clock)
    recorder.mark("before")
    try recorder.flush()
    let times = try place.query("SELECT seq, t_ms FROM history")
    try letRest(recorder)
    clocks.setWall(by: seconds)
    recorder.mark("after")
    try recorder.flush()
    recorder.mark("later")
    recorder.close()
    #expect(try place.query("SELECT seq, t_ms FROM history WHERE seq = 1") == times)
    #expect(try place.query("SELECT seq FROM history ORDER BY t_ms") == ["1", "2", "3"])
    // How much more the wall clock went on from the first event than the session's own.
    for seq in 2...3 {
      let apart = try place.query(
        """
        SELECT round((julianday(b.at) - julianday(a.at)) * 86400 - (b.t_ms - a.t_ms) / 1000.0)
        FROM history a JOIN history b ON a.seq = 1 AND b.seq = \(seq)
        """)
      #expect(apart.compactMap(Double.init) == [Double(seconds)])
    }
    #expect(try place.query("SELECT count(*) FROM anchor") == ["2"])
  }

  @Test func `a clock that is not set leaves one anchor`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    for _ in 0..<20 {
      recorder.mark("note")
      try recorder.flush()
    }
    recorder.close()
    #expect(try place.query("SELECT count(*) FROM anchor") == ["1"])
  }

  @Test func `clocks may part by less than the tolerance`() {
    let clocks = Clocks()
    let (wall, events) = clocks.clock.both()
    var watch = WallClockWatch(clocks.clock, began: events, wall: wall)
    #expect(watch.check() == nil)
    clocks.pass(seconds: 86_400)
    #expect(watch.check() == nil)
    clocks.setWall(by: -1)
    #expect(watch.check() != nil)
    #expect(watch.check() == nil)
  }

  /// The writer looks at the clocks before it rests; a flush is answered a moment earlier.
  private func letRest(_ recorder: HistoryRecorder) throws {
    for _ in 0..<20 {
      try recorder.flush()
      Thread.sleep(forTimeInterval: 0.01)
    }
  }
}
