import Foundation
import StatyRecorder
import StatySQLite
import Testing

/// An app that records in the background, for example while it plays audio.
@Suite struct SuspendedTests {
  private let place: Place

  init() throws {
    place = try Place()
  }

  /// Waits until fewer events are queued than a number.
  private func waitForPlace(in recorder: HistoryRecorder, _ most: Int) throws {
    if recorder.statistics.queued < most { return }
    try #require(eventually { recorder.statistics.queued < most })
    // The place of what is stored is free a moment later, on a busy machine a long one.
    Thread.sleep(forTimeInterval: 0.02)
  }

  // Events with short texts fill the pieces of the ring, those with long ones its log.
  @Test(arguments: [1, 4_000])
  func `a suspended recorder stores the events when the ring is half full`(length: Int) throws {
    var options = RecorderOptions()
    if length == 1 { options.eventsPerThread = 64 }
    let recorder = try HistoryRecorder(at: place.path, options: options)
    try recorder.suspend()
    let text = String(repeating: "m", count: length)
    // A little more than half of what fits.
    let most = length == 1 ? 70 : 190
    for _ in 1...600 {
      recorder.mark(text)
      try waitForPlace(in: recorder, most)
    }
    #expect(recorder.statistics.lost == 0 && recorder.statistics.stored > 0)
    // The file is closed again.
    let isFree = eventually {
      let other = try Connection(path: place.path, mode: .readWrite)
      try other.transaction(.immediate) {}
      try other.close()
      return true
    }
    #expect(isFree)
    recorder.resume()
    recorder.close()
    #expect(try place.query("SELECT events, lost FROM sessions") == ["600|0"])
  }

  @Test func `sessions are continued and deleted while the app is in the background`() throws {
    let clocks = Clocks()
    var options = RecorderOptions()
    options.eventsPerThread = 64
    options.retention = Retention(age: .seconds(800))
    let recorder = try HistoryRecorder(at: place.path, options: options, clock: clocks.clock)
    recorder.mark("first")
    try recorder.suspend()
    for _ in 0..<20 {
      // Enough for the writer to wake up.
      for _ in 0..<90 {
        recorder.mark("in the background")
        try waitForPlace(in: recorder, 70)
      }
      clocks.pass(seconds: 120)
    }
    recorder.resume()
    recorder.close()
    #expect(recorder.statistics.lost == 0)
    let sessions = try place.query("SELECT session FROM sessions").compactMap { Int($0) }
    #expect(try #require(sessions.first) > 1)
  }
}
