import Foundation
import StatyRecorder
import Testing

@Suite("Who records now")
struct LivingRecorderTests {
  @Test func `a recorder is seen as long as it is open, and not kept from starting again`() throws {
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

  @Test func `a ring that another program made is no living recorder`() throws {
    let place = try Place()
    try Data(repeating: 1, count: 8_192).write(to: URL(fileURLWithPath: place.path + "-ring"))
    #expect(LivingRecorder(at: place.path) == nil)
  }
}
