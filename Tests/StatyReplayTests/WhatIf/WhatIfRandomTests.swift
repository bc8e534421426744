import Chance
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay
import StatyRules
import Testing

/// What is clean stays clean when it is played again.
@Suite struct WhatIfRandomTests {
  @Test(arguments: 0..<6)
  func `random histories of every policy stay clean under themselves`(_ place: Int) throws {
    let (name, policy) = VerificationTests.policies[place]
    let seed = testSeed
    let runs = 10 * sweep
    for run in 0..<runs {
      let history = try RecordedHistory()
      let recorder = try history.recorder()
      let scene = RandomScene(
        seed: seed &+ UInt64(run), policies: [policy], recorder: recorder, name: "\(run)")
      recorder.close()
      withExtendedLifetime(scene) {}
      let result = try history.whatIf()
      let told = "\(name), seed \(seed &+ UInt64(run))"
      #expect(result.isClean, "\(told): \(result.findings) \(result.doubts)")
      #expect(result.events.count > 0)
      #expect(try result == history.whatIf(), "\(told)")
    }
    print("\(name): \(runs) histories from seed \(seed)")
  }

  @Test func `entered is no decision if decisions are recorded`() throws {
    let history = try RecordedHistory()
    let recorder = try history.recorder()
    // A controller that was attached while its state entered, and was told nothing else.
    let coalesce = try #require(VerificationTests.policies.first { $0.0 == "coalesce" }?.1)
    let scene = RandomScene(
      seed: 738_884_839, policies: [coalesce], recorder: recorder, name: "late")
    recorder.close()
    withExtendedLifetime(scene) {}
    let result = try history.whatIf()
    #expect(result.states(.entered).count == 1)
    #expect(result.doubts == [.nothingPlayed(controller: nil)])
  }

  @Test func `pairs that drive each other stay clean`() throws {
    let seed = testSeed
    for run in 0..<36 {
      let history = try RecordedHistory()
      let recorder = try history.recorder()
      let pair = [VerificationTests.policies[run / 6].1, VerificationTests.policies[run % 6].1]
      let scene = RandomScene(
        seed: seed &+ UInt64(run), policies: pair, recorder: recorder, name: "\(run)")
      recorder.close()
      withExtendedLifetime(scene) {}
      let result = try history.whatIf()
      #expect(result.isClean, "seed \(seed &+ UInt64(run)): \(result.findings)")
    }
    print("36 pairs from seed \(seed)")
  }

  @Test func `random histories under every other policy are never called broken`() throws {
    let seed = testSeed
    for run in 0..<36 {
      let history = try RecordedHistory()
      let recorder = try history.recorder()
      let scene = RandomScene(
        seed: seed &+ UInt64(run), policies: [VerificationTests.policies[run / 6].1],
        recorder: recorder, name: "\(run)")
      recorder.close()
      withExtendedLifetime(scene) {}
      let other = VerificationTests.policies[run % 6].0
      let result = try history.whatIf(with: other)
      #expect(
        result.isClean,
        "seed \(seed &+ UInt64(run)), \(other): \(result.decisive) \(result.doubts)\n\(result.words)"
      )
    }
    print("36 histories from seed \(seed)")
  }
}

extension RecordedHistory {
  func whatIf(
    with name: String? = nil, edits: [Edit] = [], assuming assumed: Int64 = 300_000,
    through last: Int64? = nil, only: Set<Int32>? = nil,
    registry: ControllerRegistry = ControllerRegistry()
  ) throws -> WhatIfResult {
    var options = WhatIf.Options()
    options.replacement = Replacement(all: name)
    options.edits = edits
    options.assumed = assumed
    let reader = try HistoryReader(path: path)
    return try WhatIf(
      reader, session: 1, through: last, only: only, registry: registry, options: options
    ).run()
  }
}

extension WhatIfResult {
  /// Whether it is called clean, or no decision was possible: without a target, a controller lets
  /// every visit wait.
  var isClean: Bool {
    let decisions: [EventKind] = [.entering, .exiting, .discarded]
    if decisions.allSatisfy({ states($0).isEmpty }) {
      return verdict == .inconclusive && doubts == [.nothingPlayed(controller: nil)]
    }
    return verdict == .clean
  }

  /// What happened: `1 enqueued #1 loading`, one event a line.
  var words: String {
    events.map { row in
      "\(row.time / 1_000) \(EventKind(rawValue: row.kind)?.text ?? "?")"
        + (row.visit == 0 ? "" : " #\(row.visit) \(names[row.state] ?? "")")
    }.joined(separator: "\n")
  }
}
