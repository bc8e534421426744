import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay
import StatyRules

/// A history in a directory of its own.
///
/// The directory is removed at the end of the test.
@MainActor final class Recording {
  private let directory = NSTemporaryDirectory() + "staty-uikit-" + UUID().uuidString
  let recorder: HistoryRecorder
  private let path: String

  init() throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    path = directory + "/history.sqlite"
    recorder = try HistoryRecorder(at: path)
  }

  isolated deinit {
    recorder.close()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Ends the recording and returns the findings in it.
  func findings() throws -> [RuleCode] {
    recorder.close()
    return try HistoryCheck(HistoryReader(path: path)).session(1).findings.map(\.code)
  }

  /// Ends the recording and replays it.
  func replay() throws -> ReplayResult {
    recorder.close()
    let verification = try Verification(HistoryReader(path: path), session: 1)
    return try verification.run()
  }

  /// The names of the states that entered, in order.
  func shown() throws -> [String] {
    recorder.close()
    let reader = try HistoryReader(path: path)
    let (names, events) = (try reader.names(), try reader.events(session: 1))
    var shown: [String] = []
    while let row = try events.next() {
      if row.kind == EventKind.entered.rawValue { shown.append(names[row.state] ?? "?") }
    }
    return shown
  }
}
