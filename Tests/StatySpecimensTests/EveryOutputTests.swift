import Chance
import Staty
import StatyHistory
import StatyReplay
import StatySpecimens
import Testing

/// Of many small recordings each output is taken out, doubled and put in the place of others: none of
/// that is ever reproduced.
@Suite struct EveryOutputTests {
  /// So many recordings of each sort.
  private static let runs = sweep
  /// An output changes places with so many of those that come next.
  private static let mostSwaps = sweep > 1 ? 6 : 2

  @Test(arguments: Specimens.all.map { $0.name })
  func `no output of a random history can be changed`(_ name: String) throws {
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
  func `nor any that observers asked for more around`(_ rarity: Int) throws {
    for run in 0..<(2 * Self.runs) {
      let history = try SpecimenHistory(
        observed: run..<(run + 1), testSeed, askingOnceIn: rarity, most: 6)
      try expectNoReproduction(history, "once in \(rarity), run \(run), seed \(testSeed)")
    }
  }

  @Test(arguments: [(2, true), (3, false), (5, false)])
  func `nor where observers of several policies drive each other and speak for states`(
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
  func `nor where policies are torn down in the midst of what others do`(_ rarity: Int) throws {
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
  /// Whether this is the last order of a controller that is torn down after it: that may have been torn
  /// down in the place of giving it, so without it this is a recording like any other.
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
