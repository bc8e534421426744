import Foundation
import StatyRecorder
import Testing

/// A history that is removed or replaced while it is recorded into.
@Suite struct RemovedHistoryTests {
  @Test func `a flush fails when the file was removed`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("before")
    try recorder.flush()
    try FileManager.default.removeItem(atPath: place.path)
    recorder.mark("after")
    let error = #expect(throws: RecorderError.self) { try recorder.flush() }
    #expect(error?.description.contains("removed or replaced") == true)
    // Nothing can be read of what was stored.
    #expect(recorder.statistics.stored == 0 && recorder.statistics.lost == 2)
    recorder.close()
    #expect(recorder.statistics.stored == 0 && recorder.statistics.lost == 2)
  }

  @Test func `a flush fails when the file was replaced`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("before")
    try recorder.flush()
    try FileManager.default.moveItem(atPath: place.path, toPath: place.path + ".old")
    try Data("another".utf8).write(to: URL(fileURLWithPath: place.path))
    #expect(throws: RecorderError.self) { try recorder.flush(.durable) }
    recorder.close()
  }
}
