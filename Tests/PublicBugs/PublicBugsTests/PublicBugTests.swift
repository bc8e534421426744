import Foundation
import PublicBugs
import Staty
import StatyRecorder
import StatyReplay
import StatyRules
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
  private func explore(
    _ bug: PublicBug, _ version: Version, eachRule: Bool = false
  ) throws -> Exploration {
    let path = folder.appendingPathComponent("\(version).sqlite").path
    let recorder = try HistoryRecorder(at: path)
    recorder.recordTracks()
    bug.record(version, recorder)
    recorder.close()
    var registry = ControllerRegistry()
    bug.register(&registry, version)
    let scenario = try Scenario(ofHistoryAt: path, session: 1, registry: registry)
    var options = Explorer.Options()
    options.isForEachRule = eachRule
    return try Explorer(scenario, registry: registry, options: options).run()
  }

  @Test(arguments: PublicBug.all.filter(\.isByOutcome))
  func `the reported version can end otherwise`(_ bug: PublicBug) throws {
    let exploration = try explore(bug, .reported)
    let outcomes = try #require(exploration.outcomes.first).outcomes
    print("\(bug): \(exploration.outcomes.map { OutcomeWords($0).question })")
    #expect(exploration.doubts.isEmpty)
    #expect(exploration.verdict == (bug.rule == nil ? .differs : .broken))
    // What the user has seen in the recording is what a patient user sees.
    #expect(outcomes.first?.isUsual == true && outcomes.first?.isRecorded == true)
    #expect(outcomes.dropFirst().first?.deviations.count == 1)
  }

  @Test(arguments: PublicBug.all.filter { $0.rule != nil })
  func `the reported version breaks a rule or a condition`(_ bug: PublicBug) throws {
    let exploration = try explore(bug, .reported, eachRule: true)
    #expect(exploration.verdict == .broken, "\(exploration.doubts)")
    #expect(
      exploration.orders.contains { $0.codes.contains(bug.rule!) },
      "\(exploration.orders.map(\.codes))")
    let fault = exploration.outcomes.first?.faults.first { $0.codes.contains(bug.rule!) }
    #expect(try #require(fault).deviations?.count == (bug.rule == .invariant ? 0 : 1))
  }

  @Test(arguments: PublicBug.all)
  func `the mended version ends the same in every order, and breaks nothing`(
    _ bug: PublicBug
  ) throws {
    let exploration = try explore(bug, .mended)
    #expect(
      exploration.verdict == .same,
      "\(exploration.outcomes.map { OutcomeWords($0).numbered() }) \(exploration.orders) \(exploration.doubts)"
    )
    #expect(
      exploration.outcomes.map(\.isExhaustive) == [true]
        || exploration.outcomes.map(\.complete) == [2])
  }
}
