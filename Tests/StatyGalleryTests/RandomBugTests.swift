import Chance
import Staty
import StatyGallery
import StatyHistory
import StatyReading
import StatyRecorder
import StatyRules
import Testing

@testable import StatyGallery

/// What a check says of the fixed apps that are used in any order.
@MainActor @Suite struct RandomBugTests {
  /// The fixed apps that get warnings, and why.
  private static let warned: [String: RuleCode] = [:]

  @Test(arguments: KnownBug.all)
  func `a fixed app is not accused`(_ bug: KnownBug) async throws {
    let place = try await RecordedBug(bug, .fixed, .harmless)
    let path = place.path + ".random"
    let recorder = try HistoryRecorder(at: path)
    var random = SeededRandom(seed: testSeed)
    for _ in 0..<1_000 {
      let scene = bug.scene(.fixed)
      for (name, part) in scene.parts { recorder.attach(to: part, as: "\(name)") }
      scene.play(.random(SeededRandom(seed: random.next())))
      for (_, part) in scene.parts { recorder.detach(from: part) }
      while recorder.statistics.queued > 5_000 { await Task.yield() }
    }
    await recorder.close()
    let result = try #require(try HistoryCheck(HistoryReader(path: path)).file().first)
    #expect(result.losses.isEmpty)
    let found = Set(result.findings.map(\.code))
    let names = try HistoryReader(path: path).names()
    for finding in result.findings.prefix(3) {
      print("   ", finding.seq, finding.detail { names[$0] })
    }
    print("\(bug): \(found.map(\.rawValue)), \(result.findings.count), notes \(result.notes.count)")
    #expect(found == Set([Self.warned[bug.name]].compactMap(\.self)))
  }
}
