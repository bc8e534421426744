import Feed
import Foundation
import StatyRecorder
import StatyTesting
import XCTest

/// The same expectations in the other library of tests.
final class FeedXCTests: XCTestCase {
  private struct Empty: FeedLoader {
    func items(matching text: String) async throws -> [String] { [] }
  }

  @MainActor func testWhatWasRecordedIsReproduced() async throws {
    let path =
      FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try record(at: path)
    expectReproduced(path, in: .feed)
    expectNoFindings(in: path, warnings: true)
    XCTAssertEqual(try replay(path, in: .feed), .reproduced(decisions: 2))
  }

  /// Records without giving up the main actor, so that the loader does not answer before the end.
  @MainActor private func record(at path: String) throws {
    let recorder = try HistoryRecorder(at: path)
    let model = FeedModel(loader: Empty())
    recorder.attach(to: model.track, as: "feed")
    model.send(.searched("sw"))
    model.send(.found([], for: "sw"))
    recorder.close()
  }
}
