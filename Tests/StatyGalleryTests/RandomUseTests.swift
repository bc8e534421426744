import Chance
import Foundation
import LibC
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyRules
import Testing

/// What a check says of ordinary models that are used in a random order.
@Suite struct RandomUseTests {
  /// What is found and noted in a thousand runs of a model, each rule with the number of its runs.
  private func check(_ model: OrdinaryModel) throws -> (
    found: [RuleCode: Int], noted: [RuleCode: Int]
  ) {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite")
      .path
    defer {
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
    }
    let recorder = try HistoryRecorder(at: path)
    var random = SeededRandom(seed: testSeed)
    for _ in 0..<1_000 {
      let (track, use) = model.recordRandomly(&random)
      recorder.attach(to: track, as: "store")
      use()
      recorder.detach(from: track)
      // The writer keeps up: nothing may be lost.
      while recorder.statistics.queued > 5_000 { usleep(100) }
    }
    recorder.close()
    var found: [RuleCode: Int] = [:]
    var noted: [RuleCode: Int] = [:]
    for result in try HistoryCheck(HistoryReader(path: path)).file() {
      #expect(result.losses.isEmpty)
      func runs(_ findings: [Finding]) -> [RuleCode: Int] {
        Dictionary(grouping: findings, by: \.code).mapValues { Set($0.map(\.controller)).count }
      }
      found.merge(runs(result.findings), uniquingKeysWith: +)
      noted.merge(runs(result.notes), uniquingKeysWith: +)
    }
    return (found, noted)
  }

  /// The models that get warnings, and why.
  private static let warned = [
    "two sections that load beside each other": "opened twice, it takes the older answers, too",
    "sign in, and a profile that needs it":
      "a profile that comes late is shown to whoever is signed in",
    "a cart with the server's total": "the total of an older cart comes last",
    "an upload with progress": "two uploads share one progress",
    "a badge with the number of unread messages": "a count from before everything was read",
    "a notice that goes by itself": "the timer of an earlier notice ends another of its number",
  ]

  @Test func `no error, and each warning is explained`() throws {
    for model in OrdinaryModel.all {
      let (found, noted) = try check(model)
      print("\(model): \(found) \(noted)")
      #expect(Array(found.keys) == (Self.warned[model.description] == nil ? [] : [.lateAnswer]))
    }
  }
}
