import Chance
import Staty
import StatyHistory
import StatyReplay
import StatySpecimens
import Testing

/// Each output of many small recordings is removed, doubled and exchanged with others.
///
/// None of these is ever reproduced.
@Suite struct EveryOutputTests {
  /// The number of recordings of each kind.
  private static let runs = sweep
  /// The number of next outputs with which an output is exchanged.
  private static let mostSwaps = sweep > 1 ? 6 : 2

  @Test(arguments: Specimens.all.map { $0.name })
  func `a random history with a changed output is not reproduced`(_ name: String) throws {
    let kind = try #require(Specimens.all.first { $0.name == name })
    for run in 0..<Self.runs {
      let seed = testSeed &+ UInt64(run)
      let history = try SpecimenHistory(seed: seed, runs: 1, most: 8) { _ in
        [kind, Specimens.all[run % 4]]
      }
      try expectNoReproduction(history, "\(name), seed \(seed)")
    }
  }

  @Test(arguments: [2, 5, 12])
  func `with requests of observers, a history with a changed output is not reproduced`(
    _ rarity: Int
  ) throws {
    for run in 0..<(2 * Self.runs) {
      let history = try SpecimenHistory(
        observed: run..<(run + 1), testSeed, askingOnceIn: rarity, most: 6)
      try expectNoReproduction(history, "once in \(rarity), run \(run), seed \(testSeed)")
    }
  }

  @Test(arguments: [(2, true), (3, false), (5, false)])
  func `for policies that drive each other, a changed output is not reproduced`(
    _ rarity: Int, _ isMixed: Bool
  ) throws {
    for run in 0..<(2 * Self.runs) {
      let history = try SpecimenHistory(
        observed: run..<(run + 1), testSeed, askingOnceIn: rarity, most: isMixed ? 6 : 8,
        queues: 3, words: 8, isMixed: isMixed)
      let what = "once in \(rarity), mixed \(isMixed), run \(run), seed \(testSeed)"
      #expect(try history.replay().verdict != .diverged, "\(what)")
      try expectNoReproduction(history, what)
    }
  }

  @Test(arguments: [2, 3, 5])
  func `with tear-downs, a changed output is not reproduced`(_ rarity: Int) throws {
    for run in 0..<(3 * Self.runs) {
      let history = try SpecimenHistory(
        observed: run..<(run + 1), testSeed, askingOnceIn: rarity, most: 7, queues: 3, words: 4,
        endings: 3, isMixed: false)
      let what = "once in \(rarity), run \(run), seed \(testSeed)"
      let result = try history.replay()
      #expect(result.divergences.isEmpty && result.misplaced.isEmpty, "\(what): \(result)")
      try expectNoReproduction(history, what)
    }
  }

  private func expectNoReproduction(_ history: SpecimenHistory, _ what: String) throws {
    let whole = try EditedHistory(history)
    let outputs = whole.outputs
    for (order, one) in outputs.enumerated() {
      let row = whole.rows[one]
      var edited = whole
      edited.remove(at: one)
      if !whole.isTornDown(behind: one) {
        try expectNoReproduction(edited, "\(what): without \(row)")
      }
      edited = whole
      edited.duplicate(at: one)
      try expectNoReproduction(edited, "\(what): twice \(row)")
      for other in outputs[(order + 1)...].prefix(Self.mostSwaps) {
        edited = whole
        guard edited.swap(one, other) else { continue }
        try expectNoReproduction(edited, "\(what): swapped \(row) \(whole.rows[other])")
      }
    }
  }

  private func expectNoReproduction(_ edited: EditedHistory, _ what: String) throws {
    let result = try edited.write().replay()
    #expect(result.verdict != .reproduced, "\(what)\n\(result)")
  }
}

extension EditedHistory {
  /// Whether this is the last order of a controller before its tear-down.
  ///
  /// The controller may have been torn down instead of giving the order, so the recording is valid
  /// without it.
  fileprivate func isTornDown(behind place: Int) -> Bool {
    let orders = [EventKind.entering, .exiting].map(\.rawValue)
    guard orders.contains(rows[place].kind) else { return false }
    let next = rows[(place + 1)...].first {
      $0.controller == rows[place].controller
        && (orders.contains($0.kind) || $0.kind == EventKind.cancelled.rawValue)
    }
    return next?.kind == EventKind.cancelled.rawValue
  }
}
