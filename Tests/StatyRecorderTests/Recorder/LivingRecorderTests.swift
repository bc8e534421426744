import Foundation
import StatyRecorder
import Testing

@Suite("The process that is recording")
struct LivingRecorderTests {
  @Test func `a recorder is found while it is open, and can be opened again afterwards`() throws {
    let place = try Place()
    #expect(LivingRecorder(at: place.path) == nil)
    let recorder = try HistoryRecorder(at: place.path)
    #expect(LivingRecorder(at: place.path)?.pid == getpid())
    recorder.close()
    #expect(LivingRecorder(at: place.path) == nil)
    let next = try HistoryRecorder(at: place.path)
    #expect(LivingRecorder(at: place.path)?.pid == getpid())
    next.close()
  }

  @Test func `a ring that another program created is not a recorder`() throws {
    let place = try Place()
    try Data(repeating: 1, count: 8_192).write(to: URL(fileURLWithPath: place.path + "-ring"))
    #expect(LivingRecorder(at: place.path) == nil)
  }
}
