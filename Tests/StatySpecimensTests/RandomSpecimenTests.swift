import Chance
import Foundation
import StatisticsOracle
import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
import StatySpecimens
import Testing

/// Random recordings of specimens are reproduced.
@Suite struct RandomSpecimenTests {
  /// The number of histories of each specimen: `STATY_SPECIMEN_RUNS`, or 100.
  static let runs =
    ProcessInfo.processInfo.environment["STATY_SPECIMEN_RUNS"].flatMap { Int($0) } ?? 100

  /// The number of histories in a file.
  ///
  /// With one file for each, most of the time would go into files.
  static let runsInFile = 25

  @Test(arguments: 0..<4)
  func `random histories of each pair of specimens are reproduced`(_ place: Int) throws {
    let kind = Specimens.all[place]
    var matched = 0
    for first in stride(from: 0, to: Self.runs, by: Self.runsInFile) {
      let seed = testSeed &+ UInt64(first)
      let history = try SpecimenHistory(seed: seed, runs: Self.runsInFile) { run in
        [kind, Specimens.all[(first + run) % 4]]
      }
      let result = try history.replay()
      guard result.verdict == .reproduced, result.unreached.isEmpty else {
        Issue.record("\(kind.name), seed \(seed): \(result)\n\(try history.words())")
        return
      }
      let difference = try ViewRows.firstDifference(at: history.path)
      #expect(difference == nil, "seed \(seed)")
      let second = try history.replay()
      #expect(result.confirmed(by: second).verdict == .reproduced)
      matched += result.matched
    }
    #expect(matched > 5 * Self.runs, "seed \(testSeed)")
  }

  @Test func `a state that requests for another visit is not taken for an observer`() throws {
    let history = try SpecimenHistory(seed: 487_423_823, runs: 2) { run in
      [Container2020.self, Specimens.all[run]]
    }
    let result = try history.replay()
    #expect(result.verdict == .reproduced, "\(result)")
  }

  @Test func `without places, an observer's report may leave a recording in doubt`() throws {
    let history = try SpecimenHistory(seed: 1_756_881_304, runs: 1) { _ in [Specimens.all[1]] }
    let result = try EditedHistory(history).ordered.write { $0.fidelity = 2 }.replay()
    #expect(isUnbracketed(result), "\(result)")
  }

  /// Whether the only doubt is about missing places.
  private func isUnbracketed(_ result: ReplayResult) -> Bool {
    guard result.doubts.count == 1, case .unbracketed(1, _, .controller)? = result.doubts.first
    else { return false }
    return true
  }

  @Test func `a recording without places is reproduced, or its places are missed`() throws {
    var reproduced = 0
    // Without places, what a class reports by itself cannot be told from what a state reports.
    for run in 0..<60 {
      let seed = testSeed &+ UInt64(run)
      let history = try SpecimenHistory(seed: seed, runs: 1) { _ in [Specimens.all[run % 4]] }
      let ordered = try EditedHistory(history).ordered.write { $0.fidelity = 2 }
      let result = try ordered.replay()
      // Some scenes have no outputs.
      if result.doubts == [.nothingToCompare], result.divergences.isEmpty { continue }
      if result.verdict == .reproduced { reproduced += 1 }
      guard result.verdict == .reproduced || isUnbracketed(result) else {
        Issue.record("\(run % 4), seed \(seed): \(result)\n\(try history.words())")
        return
      }
    }
    #expect(reproduced >= 20, "seed \(testSeed)")
  }

  @Test func `one of two controllers is replayed alone`() throws {
    for run in 0..<16 {
      let seed = testSeed &+ UInt64(run)
      let kinds: [any Specimen.Type] = [Specimens.all[run % 4], Specimens.all[(run / 4) % 4]]
      let history = try SpecimenHistory(seed: seed, runs: 1) { _ in kinds }
      for only in [1, 2] as [Int32] {
        let result = try history.replay(only: [only])
        // Some controllers have no outputs.
        if result.doubts == [.nothingToCompare] { continue }
        guard result.verdict == .reproduced, result.unreached.isEmpty else {
          Issue.record("only \(only), seed \(seed): \(result)\n\(try history.words())")
          return
        }
      }
    }
  }
}

extension SpecimenHistory {
  /// Records random scenes, each with controllers of these kinds.
  convenience init(
    seed: UInt64, runs: Int, most: Int = 40, _ kinds: (Int) -> [any Specimen.Type]
  ) throws {
    try self.init()
    let recorder = try runs < 20 ? recorder() : HistoryRecorder(at: path)
    // Kept until the recorder is closed, so that their endings are not recorded.
    let scenes = (0..<runs).map { run in
      let scene = RandomSpecimenScene(seed: seed &+ UInt64(run), kinds(run), most: most)
      for (side, probe) in scene.probes.enumerated() {
        recorder.attach(to: probe, as: "\(run) \(side)")
      }
      scene.play()
      return scene
    }
    withExtendedLifetime(scenes) { recorder.close() }
  }
}
