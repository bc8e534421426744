import Staty
import StatyHistory
import StatyReplay
import StatySpecimens
import Testing

/// A recording in which a decision was changed is never taken for what the controller does.
@Suite struct MutationTests {
  @Test(arguments: SpecimenScenario.all.map(\.name))
  func `written anew unchanged a scenario is reproduced`(_ name: String) throws {
    let scenario = try #require(SpecimenScenario.all.first { $0.name == name })
    let edited = try EditedHistory(SpecimenHistory(scenario))
    #expect(try edited.write().replay().verdict == .reproduced)
  }

  @Test(arguments: SpecimenScenario.all.map(\.name))
  func `a scenario with any output changed is not reproduced`(_ name: String) throws {
    let scenario = try #require(SpecimenScenario.all.first { $0.name == name })
    let whole = try EditedHistory(SpecimenHistory(scenario))
    let outputs = whole.outputs
    for (order, place) in outputs.enumerated() {
      try expectNoReproduction(whole, outputs, order, name)
      #expect(whole.rows[place].kind != 0)
    }
  }

  @Test func `a random history with a random output changed is not reproduced`() throws {
    let seed = RandomSpecimenTests.seed
    var random = SeededRandom(seed: seed)
    for run in 0..<24 {
      let history = try SpecimenHistory(seed: seed &+ UInt64(run), runs: 1) { _ in
        [Specimens.all[run % 4], Specimens.all[(run / 4) % 4]]
      }
      let whole = try EditedHistory(history)
      let outputs = whole.outputs
      guard !outputs.isEmpty else { continue }
      try expectNoReproduction(whole, outputs, random.below(outputs.count), "seed \(seed)")
    }
  }

  @Test func `outputs of two controllers that changed places are not reproduced`() throws {
    let seed = RandomSpecimenTests.seed
    var misplaced = 0
    for run in 0..<12 {
      let history = try SpecimenHistory(seed: seed &+ UInt64(run), runs: 1) { _ in
        [Specimens.all[run % 4], Specimens.all[(run / 4) % 4]]
      }
      let whole = try EditedHistory(history)
      var edited = whole.outputs.flatMap { one in
        whole.outputs.compactMap { other -> (String, EditedHistory)? in
          var edited = whole
          guard other > one, whole.rows[one].controller != whole.rows[other].controller,
            edited.swap(one, other)
          else { return nil }
          return ("\(whole.rows[one]) \(whole.rows[other])", edited)
        }
      }
      var random = SeededRandom(seed: seed &+ UInt64(run))
      edited.shuffle(using: &random)
      for (what, edited) in edited.prefix(12) {
        let result = try edited.write().replay()
        #expect(result.verdict != .reproduced, "seed \(seed): swapped \(what)\n\(result)")
        misplaced += result.misplaced.isEmpty ? 0 : 1
      }
    }
    #expect(misplaced > 0, "seed \(seed)")
  }

  /// Takes an output out, doubles it, and lets it change places with each of the next ones.
  private func expectNoReproduction(
    _ whole: EditedHistory, _ outputs: [Int], _ order: Int, _ name: String
  ) throws {
    let place = outputs[order]
    let row = whole.rows[place]
    var edited = whole
    edited.remove(at: place)
    try expectDivergence(edited, "\(name): without \(row)")
    edited = whole
    edited.duplicate(at: place)
    try expectDivergence(edited, "\(name): twice \(row)")
    for other in outputs[(order + 1)...].prefix(4) {
      edited = whole
      guard edited.swap(place, other) else { continue }
      let what = "\(name): swapped \(row) \(whole.rows[other])"
      if whole.rows[other].controller == row.controller {
        try expectDivergence(edited, what)
      } else {
        // Each controller for itself may have done the same in the same order.
        let result = try edited.write().replay()
        #expect(result.verdict != .reproduced, "\(what)\n\(result)")
      }
    }
  }

  private func expectDivergence(_ edited: EditedHistory, _ what: String) throws {
    let result = try edited.write().replay()
    #expect(result.verdict == .diverged, "\(what)\n\(result)")
  }
}

extension ReplayResult {
  /// The numbers of what is said to have happened in something that was over by then.
  var misplaced: [Int64] {
    doubts.compactMap { if case .misplaced(let seq, _) = $0 { seq } else { nil } }
  }
}
