import Foundation
import PublicBugs
import Staty
import StatyRecorder
import StatyReplay
import StatyReport
import Testing

/// Bugs of public trackers, each from a harmless recording: the reported version can end in another
/// way or breaks a condition, the mended one does neither.
@MainActor @Suite final class PublicBugTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Records a harmless run of a version of a model, and searches how else it can end.
  private func explore(_ bug: PublicBug, _ version: Version) throws -> Exploration {
    let path = folder.appendingPathComponent("\(version).sqlite").path
    let recorder = try HistoryRecorder(at: path)
    recorder.recordTracks()
    bug.record(version)
    recorder.close()
    var registry = ControllerRegistry()
    bug.register(&registry, version)
    let scenario = try Scenario(ofHistoryAt: path, session: 1, registry: registry)
    return try Explorer(scenario, registry: registry).run()
  }

  @Test(arguments: PublicBug.all.filter(\.isByOutcome))
  func `the reported version can end otherwise`(_ bug: PublicBug) throws {
    let exploration = try explore(bug, .reported)
    let words = exploration.outcomes.map { OutcomeWords($0) }
    print(bug, exploration.verdict, words.map(\.question), words.flatMap(\.numbered), exploration.doubts)
    #expect(exploration.verdict == .differs, "\(bug)")
    let outcomes = try #require(exploration.outcomes.first).outcomes
    #expect(outcomes.count >= 2)
    #expect(outcomes.first?.isUsual == true)
    #expect(outcomes.first?.isRecorded == true)
    #expect(outcomes.dropFirst().first?.deviations.count == 1)
  }

  @Test(arguments: PublicBug.all)
  func `the mended version always ends the same`(_ bug: PublicBug) throws {
    let exploration = try explore(bug, .mended)
    let words = exploration.outcomes.map { OutcomeWords($0) }
    print(bug, exploration.verdict, words.flatMap(\.texts), words.map(\.extent))
    #expect(exploration.verdict == .same, "\(bug): \(words.flatMap(\.numbered)) \(exploration.doubts)")
  }
}
