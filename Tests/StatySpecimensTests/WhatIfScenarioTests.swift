import Chance
import Staty
import StatyHistory
import StatyReading
import StatyReplay
import StatyRules
import StatySpecimens
import Testing

/// The fault of a specimen is fixed under the right policy, and stays under its own.
@Suite struct WhatIfScenarioTests {
  private static let faulty = SpecimenScenario.all.filter { scenario in
    guard let code = scenario.code else { return false }
    return RuleCode(rawValue: code)?.severity == .error
  }

  private func scenario(_ name: String) throws -> SpecimenScenario {
    try #require(SpecimenScenario.all.first { $0.name == name })
  }

  @Test(arguments: faulty.filter { !$0.isSilence }.map(\.name))
  func `under the right policy, a scenario is fixed`(_ name: String) throws {
    let scenario = try scenario(name)
    let history = try SpecimenHistory(scenario)
    let result = try history.whatIf(with: scenario.right)
    let (words, played) = (try history.words(), result.words)
    #expect(result.verdict == .fixed, "\(result.findings) \(words)\n\n\(played)\n\(result.doubts)")
    #expect(result.recorded.contains { $0.code.rawValue == scenario.code })
  }

  @Test(arguments: faulty.filter(\.isSilence).map(\.name), [nil, "queue", "immediate"])
  func `a state that never answered is not fixed by a policy`(_ name: String, _ kind: String?)
    throws
  {
    let scenario = try scenario(name)
    let result = try SpecimenHistory(scenario).whatIf(with: kind)
    #expect(result.verdict == (kind == nil ? .stillBroken : .inconclusive), "\(result.doubts)")
    guard kind != nil else { return }
    let unanswered = result.doubts.compactMap { doubt in
      if case .unanswered(let seq, let visit, _) = doubt { (seq, visit.recorded) } else { nil }
    }
    #expect(unanswered.count == result.doubts.count && !unanswered.isEmpty)
    #expect(
      unanswered.contains { seq, visit in
        result.recorded.contains {
          $0.code.rawValue == scenario.code && $0.seq == seq && $0.visit == visit
        }
      })
  }

  @Test(arguments: SpecimenScenario.all.map(\.name))
  func `the right policy breaks no rule in any order`(_ name: String) throws {
    let history = try SpecimenHistory(try scenario(name))
    let reader = try HistoryReader(path: history.path)
    for kind in ["queue", try scenario(name).right] {
      let played = try history.whatIf(with: kind)
      let searched = try Explorer(
        Scenario(
          reader, session: 1, registry: .withSpecimens, with: Replacement(all: kind)),
        registry: .withSpecimens
      ).run()
      #expect(searched.isClean, "\(kind): \(played.verdict), \(searched)")
      #expect([.fixed, .clean, .inconclusive].contains(played.verdict), "\(kind): \(played)")
    }
  }

  @Test(arguments: faulty.map(\.name))
  func `under its own policy, a scenario is still broken, with equal events`(_ name: String) throws
  {
    let history = try SpecimenHistory(try scenario(name))
    let result = try history.whatIf()
    let (words, played) = (try history.words(), result.words)
    #expect(result.verdict == .stillBroken, "\(words)\n\n\(played)")
    #expect(result.events == (try history.rows()), "\(words)\n\n\(played)")
    #expect(result.findings == result.recorded)
  }

  @Test(arguments: SpecimenScenario.all.filter { $0.code != nil }.map(\.name))
  func `under a queue, all requests enter`(_ name: String) throws {
    let history = try SpecimenHistory(try scenario(name))
    let result = try history.whatIf(with: "queue")
    let asked = Set(result.visits(.enqueued))
    #expect(Set(result.visits(.entered)) == asked, "\(result.words)")
    #expect(asked != [])
  }

  @Test func `a state that was told to exit too early, and now in its turn, is assumed to exit`()
    throws
  {
    let history = try SpecimenHistory(try scenario("second-last"))
    let alert = try #require(
      try history.rows().first { $0.kind == EventKind.enqueued.rawValue && $0.visit == 3 })
    let result = try history.whatIf([.skip(alert.seq)])
    #expect(result.verdict == .fixed)
    // The recording has the wrong exit of content and none that it has answered.
    #expect(result.visits(.exited) == [1, 2])
    #expect(result.visits(.entered) == [1, 2, 3])
    let silent = result.assumptions.contains { if case .silent = $0 { true } else { false } }
    #expect(!silent, "\(result.assumptions)")
  }

  @Test(arguments: faulty.map(\.name))
  func `a scenario that is cut short has no new findings under its own policy`(
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

  @Test func `two runs have equal results and assumptions`() throws {
    for scenario in SpecimenScenario.all {
      let history = try SpecimenHistory(scenario)
      #expect(try history.whatIf(with: "queue") == history.whatIf(with: "queue"))
      // A container shows its states when they are requested, as `immediate` does.
      let other = scenario.specimen == Container2020.name ? "queue" : "immediate"
      #expect(try history.whatIf().digest != history.whatIf(with: other).digest)
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

  /// The session's events, without places in the code and threads.
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
  /// The visits of the events of this kind.
  func visits(_ kind: EventKind) -> [UInt32] {
    events.filter { $0.kind == kind.rawValue }.map(\.visit)
  }

  /// The events, one on each line.
  var words: String {
    events.map { row in
      "\(row.seq) \(row.time / 1_000)ms c\(row.controller) "
        + "\(EventKind(rawValue: row.kind)?.text ?? "?") #\(row.visit) "
        + "\(names[row.state] ?? "") in \(row.cause) r\(row.reason)"
    }.joined(separator: "\n")
  }
}

/// Random recordings of specimens, with states that answer inside of other calls.
@Suite struct WhatIfSpecimenTests {
  private static let runs = 60

  /// A state that answered inside of another's call answers at the same time, but outside of that
  /// call.
  ///
  /// So a few histories change, and may get another verdict.
  @Test func `random histories keep their verdict under their own policies`() throws {
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
      // A recording that ends before a later step is played beyond its end.
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
