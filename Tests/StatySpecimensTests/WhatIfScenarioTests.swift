import Chance
import Staty
import StatyHistory
import StatyReplay
import StatyRules
import StatySpecimens
import Testing

/// Every fault of a specimen is gone under the policy that mends it, and there under itself.
@Suite struct WhatIfScenarioTests {
  private static let faulty = SpecimenScenario.all.filter { scenario in
    guard let code = scenario.code else { return false }
    return RuleCode(rawValue: code)?.severity == .error
  }

  private func scenario(_ name: String) throws -> SpecimenScenario {
    try #require(SpecimenScenario.all.first { $0.name == name })
  }

  @Test(arguments: faulty.filter { !$0.isSilence }.map(\.name))
  func `under the policy that mends it a scenario is fixed`(_ name: String) throws {
    let scenario = try scenario(name)
    let history = try SpecimenHistory(scenario)
    let result = try history.whatIf(with: scenario.mend)
    let (words, played) = (try history.words(), result.words)
    #expect(result.verdict == .fixed, "\(result.findings) \(words)\n\n\(played)\n\(result.doubts)")
    #expect(result.recorded.contains { $0.code.rawValue == scenario.code })
  }

  @Test(arguments: faulty.filter(\.isSilence).map(\.name), [nil, "queue", "immediate"])
  func `a state that never answered is not mended by anybody`(_ name: String, _ kind: String?)
    throws
  {
    let scenario = try scenario(name)
    let result = try SpecimenHistory(scenario).whatIf(with: kind)
    #expect(result.verdict == (kind == nil ? .stillBroken : .inconclusive), "\(result.doubts)")
    guard kind != nil, case .unanswered(let seq, let visit, _) = result.doubts.first else { return }
    #expect(result.doubts.count == 1)
    #expect(result.recorded.contains { $0.code.rawValue == scenario.code && $0.seq == seq })
    #expect(visit.recorded == 1)
  }

  @Test(arguments: SpecimenScenario.all.map(\.name))
  func `what a right controller mends it mends in every order`(_ name: String) throws {
    let history = try SpecimenHistory(try scenario(name))
    let reader = try HistoryReader(path: history.path)
    for kind in ["queue", try scenario(name).mend] {
      let played = try history.whatIf(with: kind)
      let searched = try Explorer(
        Scenario(
          reader, session: 1, registry: .withSpecimens, with: Replacement(all: kind)),
        registry: .withSpecimens
      ).run()
      #expect(searched.verdict == .passed, "\(kind): \(played.verdict), \(searched)")
      #expect([.fixed, .clean, .inconclusive].contains(played.verdict), "\(kind): \(played)")
    }
  }

  @Test(arguments: faulty.map(\.name))
  func `under itself a scenario is still broken, and goes as it went`(_ name: String) throws {
    let history = try SpecimenHistory(try scenario(name))
    let result = try history.whatIf()
    let (words, played) = (try history.words(), result.words)
    #expect(result.verdict == .stillBroken, "\(words)\n\n\(played)")
    #expect(result.events == (try history.rows()), "\(words)\n\n\(played)")
    #expect(result.findings == result.recorded)
  }

  @Test(arguments: SpecimenScenario.all.filter { $0.code != nil }.map(\.name))
  func `under a policy that lets everybody wait all come in`(_ name: String) throws {
    let history = try SpecimenHistory(try scenario(name))
    let result = try history.whatIf(with: "queue")
    let asked = Set(result.visits(.enqueued))
    #expect(Set(result.visits(.entered)) == asked, "\(result.words)")
    #expect(asked != [])
  }

  @Test(arguments: faulty.map(\.name))
  func `cut anywhere, under itself a scenario breaks nothing that it does not break`(
    _ name: String
  ) throws {
    let history = try SpecimenHistory(try scenario(name))
    var broken = 0
    for row in try history.rows() {
      let result = try history.whatIf(until: row.seq)
      #expect(result.verdict != .newlyBroken, "until \(row.seq): \(result.findings)")
      if result.verdict == .stillBroken { broken += 1 }
    }
    #expect(broken > 0)
  }

  @Test func `two runs say the same, assumptions and all`() throws {
    for scenario in SpecimenScenario.all {
      let history = try SpecimenHistory(scenario)
      #expect(try history.whatIf(with: "queue") == history.whatIf(with: "queue"))
      #expect(try history.whatIf().digest != history.whatIf(with: "immediate").digest)
    }
  }
}

extension SpecimenHistory {
  func whatIf(
    with name: String? = nil, _ edits: [Edit] = [], until last: Int64? = nil
  ) throws -> WhatIfResult {
    var options = WhatIf.Options()
    options.replacement = Replacement(all: name)
    options.edits = edits
    let reader = try HistoryReader(path: path)
    return try WhatIf(
      reader, session: 1, through: last, registry: .withSpecimens, options: options
    ).run()
  }

  /// The session's events, without the places in the code and the threads.
  func rows() throws -> [EventRow] {
    let events = try HistoryReader(path: path).events(session: 1)
    var rows: [EventRow] = []
    while var row = try events.next() {
      (row.site, row.thread) = (0, 0)
      rows.append(row)
    }
    return rows
  }
}

extension WhatIfResult {
  /// The visits that events of this kind are about.
  func visits(_ kind: EventKind) -> [UInt32] {
    events.filter { $0.kind == kind.rawValue }.map(\.visit)
  }

  /// What happened, one event a line.
  var words: String {
    events.map { row in
      "\(row.seq) \(row.time / 1_000)ms c\(row.controller) "
        + "\(EventKind(rawValue: row.kind)?.text ?? "?") #\(row.visit) "
        + "\(names[row.state] ?? "") in \(row.cause) r\(row.reason)"
    }.joined(separator: "\n")
  }
}

/// What was recorded of a specimen at random, with states that answer inside of anything.
@Suite struct WhatIfSpecimenTests {
  private static let runs = 60

  /// A state that answers inside of another's call answers at the same time, but not inside of it
  /// any more; so a few go another way, and may end up elsewhere.
  @Test func `random histories of specimens are as broken under themselves as they were`() throws {
    let seed = testSeed
    var equal = 0
    for run in 0..<Self.runs {
      let kinds = run % 2 == 0 ? [run / 2 % 4] : [run / 2 % 4, run / 8 % 4]
      let history = try SpecimenHistory(seed: seed &+ UInt64(run), runs: 1) { _ in
        kinds.map { Specimens.all[$0] }
      }
      let result = try history.whatIf()
      let wasBroken = result.recorded.contains { $0.severity == .error }
      let decisions: [EventKind] = [.entering, .exiting, .discarded]
      // A recording that ends before a step that was put off is played beyond its end.
      let isEmpty = decisions.allSatisfy { result.visits($0).isEmpty }
      let expected: WhatIfResult.Verdict =
        wasBroken ? .stillBroken : isEmpty ? .inconclusive : .clean
      if result.verdict == expected { equal += 1 }
      #expect(
        result.doubts == (isEmpty && !wasBroken ? [.nothingPlayed(controller: nil)] : []),
        "seed \(seed &+ UInt64(run))")
    }
    print("\(equal) of \(Self.runs) from seed \(seed)")
    #expect(equal >= Self.runs * 95 / 100, "seed \(seed)")
  }
}
