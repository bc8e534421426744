import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRules
import Testing

@testable import StatyRecorder

/// Each call that blocks a thread has an asynchronous form.
@Suite struct AwaitingTests {
  let place: Place

  init() throws {
    place = try Place()
  }

  @Test func `an awaited flush stores all recorded events`() async throws {
    let recorder = try HistoryRecorder(at: URL(fileURLWithPath: place.path))
    for number in 0..<100 {
      recorder.mark("note \(number)")
      try await recorder.flush(number.isMultiple(of: 2) ? .stored : .durable)
      #expect(recorder.statistics.stored == UInt64(number + 1))
    }
    await recorder.close()
    #expect(try place.query("SELECT count(*) FROM history") == ["100"])
  }

  @Test func `many tasks that wait at the same time all get an answer`() async throws {
    let recorder = try HistoryRecorder(at: place.path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          recorder.mark("note \(number)")
          try await recorder.flush()
        }
      }
      try await group.waitForAll()
    }
    #expect(recorder.statistics.stored == 200)
    await recorder.close()
  }

  @Test func `awaited requests to a closed recorder fail at once`() async throws {
    let recorder = try HistoryRecorder(at: place.path)
    await recorder.close()
    await recorder.close()
    let error = await #expect(throws: RecorderError.self) { try await recorder.flush() }
    #expect(error?.description.contains("the recorder is closed") == true)
  }

  @Test func `an awaited request fails if the events cannot be stored`()
    async throws
  {
    let recorder = try HistoryRecorder(at: place.path)
    try await recorder.flush()
    let gone = place.directory + "-gone"
    #expect(rename(place.directory, gone) == 0)
    defer { try? FileManager.default.removeItem(atPath: gone) }
    await #expect(throws: RecorderError.self) { try await recorder.flush() }
    #expect(await recorder.previousSession() == nil)
    await recorder.close()
  }

  @Test func `an awaited copy is complete, and does not replace a file`() async throws {
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("here")
    let copy = URL(fileURLWithPath: place.directory + "/copy.sqlite")
    try await recorder.share(to: copy)
    #expect(try HistoryReader(path: copy.path).sessions().map(\.stored) == [1])
    await #expect(throws: RecorderError.self) { try await recorder.share(to: copy) }
    await #expect(throws: RecorderError.self) {
      try await recorder.share(to: URL(string: "https://example.com/copy.sqlite")!)
    }
    await recorder.close()
  }

  @Test func `a long payload begins with a mark, and a value is recorded as JSON`() async throws {
    struct Order: Encodable {
      var id: Int
      var notes: String
    }
    var options = RecorderOptions()
    options.mostPayloadBytes = 32
    let recorder = try HistoryRecorder(at: place.path, options: options)
    let page = Page()
    let controller = StateController<Page>()
    recorder.attach(to: controller, as: "checkout")
    controller.bind(to: page)
    let payloads: [StatePayload] = [
      .open(String(repeating: "p", count: 33)), .open(json: Order(id: 7, notes: "soon")),
      .open(json: Order(id: 8, notes: String(repeating: "n", count: 5_000))),
      .hashed(json: Order(id: 7, notes: "soon")), .hashed(json: Order(id: 7, notes: "soon")),
    ]
    for (number, payload) in payloads.enumerated() {
      controller.transition(to: Instant(StateName("state \(number)"), payload: payload))
    }
    await recorder.close()
    let stored = try place.query("SELECT payload FROM history WHERE kind = 'enqueued' ORDER BY seq")
    #expect(stored[0] == "cut:" + String(repeating: "p", count: 32))
    #expect(stored[1] == #"{"id":7,"notes":"soon"}"#)
    #expect(stored[2].hasPrefix(#"cut:{"id":8,"notes":"#))
    #expect(stored[3].hasPrefix("hash:") && stored[3] == stored[4])
  }
}
