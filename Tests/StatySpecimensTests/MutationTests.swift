import Chance
import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
import StatySpecimens
import Testing

/// A recording with a changed decision is never reproduced.
@Suite struct MutationTests {
  @Test(arguments: SpecimenScenario.all.map(\.name))
  func `a scenario that is written again unchanged is reproduced`(_ name: String) throws {
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
      #expect(try expectNoReproduction(whole, outputs, order, name) == 0)
      #expect(whole.rows[place].kind != 0)
    }
  }

  @Test func `a random history with a random output changed is not reproduced`() throws {
    try expectNoReproduction(ofRandom: testSeed)
  }

  /// A request inside of a handling shows an output that is missing before it only if no call of that
  /// handling can have been left unreported.
  @Test func `a change before a request inside of a handling may leave the replay in doubt`() throws
  {
    #expect(try expectNoReproduction(ofRandom: 599_482_736) > 0)
    // Here the doubled event also ends the call in which a later one lies.
    #expect(try expectNoReproduction(ofRandom: 3_114_585_685) > 0)
  }

  /// - Returns: how many changes left the replay in doubt about a call that was not reported.
  @discardableResult
  private func expectNoReproduction(ofRandom seed: UInt64) throws -> Int {
    var inDoubt = 0
    var random = SeededRandom(seed: seed)
    for run in 0..<24 {
      let history = try SpecimenHistory(seed: seed &+ UInt64(run), runs: 1) { _ in
        [Specimens.all[run % 4], Specimens.all[(run / 4) % 4]]
      }
      let whole = try EditedHistory(history)
      let outputs = whole.outputs
      guard !outputs.isEmpty else { continue }
      inDoubt += try expectNoReproduction(
        whole, outputs, random.below(outputs.count), "seed \(seed)")
    }
    return inDoubt
  }

  /// A state that enters makes a request at the first controller.
  ///
  /// After that one has handled it, the second controller notes that the state has entered.
  @Test func `an input after a handling does not excuse a change inside the handling`() throws {
    let history = try SpecimenHistory()
    let recorder = try history.recorder()
    let clock = ManualClock()
    let first: any Specimen = Staty2019(probe: ControllerProbe("staty-2019"), timer: clock)
    let second: any Specimen = Keyed2015(probe: ControllerProbe("keyed-2015"), timer: clock)
    recorder.attach(to: first.probe, as: "first")
    recorder.attach(to: second.probe, as: "second")
    first.request(PlayedState("shown"), asked: nil, by: nil)
    let asking = PlayedState("loading")
    asking.onEnter = { _ in first.request(PlayedState("next"), asked: nil, by: nil) }
    second.request(asking, asked: nil, by: nil)
    recorder.close()
    #expect(try history.replay().verdict == .reproduced)
    let whole = try EditedHistory(history)
    let place = try #require(
      whole.outputs.first { whole.rows[$0].kind == EventKind.exiting.rawValue })
    try expectDivergences(whole, place, "eight events")
  }

  @Test(arguments: [629_606_157, testSeed])
  func `exchanged outputs of two controllers are not reproduced`(_ seed: UInt64) throws {
    var misplaced = 0
    for run in 0..<12 {
      let history = try SpecimenHistory(seed: seed &+ UInt64(run), runs: 1) { _ in
        [Specimens.all[run % 4], Specimens.all[(run / 4) % 4]]
      }
      var random = SeededRandom(seed: seed &+ UInt64(run))
      for (what, edited) in try EditedHistory(history).swapped(using: &random) {
        let result = try edited.write().replay()
        #expect(result.verdict != .reproduced, "seed \(seed): swapped \(what)\n\(result)")
        misplaced += result.misplaced.isEmpty ? 0 : 1
      }
    }
    // Only some seeds have a misplaced event that nothing else shows. This one has.
    if seed == 629_606_157 { #expect(misplaced > 0) }
  }

  /// Removes an output, doubles it, and exchanges it with each of the next ones.
  ///
  /// - Returns: how many of the copies leave the replay in doubt about a call that was not reported.
  @discardableResult
  private func expectNoReproduction(
    _ whole: EditedHistory, _ outputs: [Int], _ order: Int, _ name: String
  ) throws -> Int {
    let place = outputs[order]
    let row = whole.rows[place]
    var inDoubt = try expectDivergences(whole, place, name)
    for other in outputs[(order + 1)...].prefix(4) {
      var edited = whole
      guard edited.swap(place, other) else { continue }
      let what = "\(name): swapped \(row) \(whole.rows[other])"
      if whole.rows[other].controller == row.controller {
        inDoubt += try expectDivergence(edited, what)
      } else {
        // Each controller may have done the same in its own order.
        let result = try edited.write().replay()
        #expect(result.verdict != .reproduced, "\(what)\n\(result)")
      }
    }
    return inDoubt
  }

  /// Removes an output, and doubles it.
  @discardableResult
  private func expectDivergences(_ whole: EditedHistory, _ place: Int, _ name: String) throws -> Int
  {
    let row = whole.rows[place]
    var edited = whole
    edited.remove(at: place)
    let inDoubt = try expectDivergence(edited, "\(name): without \(row)")
    edited = whole
    edited.duplicate(at: place)
    return inDoubt + (try expectDivergence(edited, "\(name): twice \(row)"))
  }

  /// - Returns: 1 if it is in doubt about a call that was not reported.
  private func expectDivergence(_ edited: EditedHistory, _ what: String) throws -> Int {
    let result = try edited.write().replay()
    if result.isInDoubtAboutCall { return 1 }
    #expect(result.verdict == .diverged, "\(what)\n\(result)")
    return 0
  }
}

extension EditedHistory {
  /// Some copies with outputs of two controllers exchanged.
  fileprivate func swapped(using random: inout SeededRandom) -> [(String, EditedHistory)] {
    var pairs = outputs.flatMap { one in outputs.map { (one, $0) } }
    pairs.removeAll { $0 >= $1 || rows[$0].controller == rows[$1].controller }
    pairs.shuffle(using: &random)
    return pairs.lazy.compactMap { one, other in
      var edited = self
      guard edited.swap(one, other) else { return nil }
      return ("\(rows[one]) \(rows[other])", edited)
    }.prefix(12).map(\.self)
  }
}

extension ReplayResult {
  /// Whether a call is in doubt that was not reported, and nothing else but what lies in a call that an
  /// edit has ended.
  fileprivate var isInDoubtAboutCall: Bool {
    let others = doubts.filter {
      if case .unbracketed(_, _, .call) = $0 { false } else { true }
    }
    return verdict == .inconclusive && others.count < doubts.count
      && others.count == misplaced.count
  }

  /// The numbers of events with a cause that had already ended.
  var misplaced: [Int64] {
    doubts.compactMap { if case .misplaced(let seq, _) = $0 { seq } else { nil } }
  }
}
