import Foundation
import Staty
import StatyHistory
import Testing

@testable import StatyRecorder

/// The column `at` shows the wall clock's time, even if the clock is set.
@Suite struct WallClockTests {
  @Test(arguments: [3_600, -3_600, 2, -2, 86_400 * 365])
  func `setting the clock changes the times of later events and nothing else`(seconds: Int64) throws
  {
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
    // The advance of the wall clock since the first event, minus that of the session's clock.
    for seq in 2...3 {
      let apart = try place.query(
        """
        SELECT round((julianday(b.at) - julianday(a.at)) * 86400 - (b.t_ms - a.t_ms) / 1000.0)
        FROM history a JOIN history b ON a.seq = 1 AND b.seq = \(seq)
        """)
      #expect(apart.compactMap(Double.init) == [Double(seconds)])
    }
    #expect(try place.query("SELECT count(*) FROM anchor") == ["3"])
  }

  @Test func `a clock that is not set leaves an anchor at the beginning and one at the end`() throws
  {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    for _ in 0..<20 {
      recorder.mark("note")
      try recorder.flush()
    }
    recorder.close()
    #expect(try place.query("SELECT count(*) FROM anchor") == ["2"])
  }

  @Test func `a difference below the tolerance is ignored`() {
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

  /// Waits for the anchor: the writer checks the clocks before it rests, a moment after it answers a flush.
  private func letRest(_ recorder: HistoryRecorder) throws {
    for _ in 0..<20 {
      try recorder.flush()
      Thread.sleep(forTimeInterval: 0.01)
    }
  }
}
