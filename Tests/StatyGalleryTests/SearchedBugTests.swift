import Staty
import StatyGallery
import StatyHistory
import StatyReading
import StatyReplay
import StatyRules
import Testing

/// Bugs of public trackers, each from a harmless recording: the reported version can end in another
/// way or breaks a condition, the fixed one does neither.
@MainActor @Suite struct SearchedBugTests {
  /// Records a harmless run of a version of an app, and searches how else it can end.
  private func explore(
    _ bug: KnownBug, _ version: Version, eachRule: Bool = false, rest: Duration = .zero
  ) async throws -> Exploration {
    let recorded = try await RecordedBug(bug, version, .harmless, rest: rest)
    let registry = recorded.registry(version)
    var options = Explorer.Options()
    options.isForEachRule = eachRule
    return try Explorer(recorded.scenario(registry), registry: registry, options: options).run()
  }

  @Test(arguments: BugVerdict.all.filter(\.isByOutcome))
  func `the reported version can end otherwise`(_ known: BugVerdict) async throws {
    let start = ContinuousClock.now
    let exploration = try await explore(known.bug, .reported)
    let time = ContinuousClock.now - start
    let outcomes = try #require(exploration.outcomes.first).outcomes
    // For a table: how it was found, how far from the usual order, and how long that took.
    let (deviations, questions) = (
      outcomes.dropFirst().map(\.deviations.count),
      exploration.outcomes.map { OutcomeWords($0).question }
    )
    print(
      "\(known): \(questions) deviations \(deviations) runs \(exploration.outcomes.map(\.runs)) \(time)"
    )
    #expect(exploration.doubts.isEmpty)
    #expect(exploration.verdict == (known.rule == nil ? .differs : .broken))
    // What the user has seen in the recording is what a patient user sees.
    #expect(outcomes.first?.isUsual == true && outcomes.first?.isRecorded == true)
    #expect(outcomes.dropFirst().first?.deviations.count == 1)
  }

  /// Its `late-answer` behind a message of the user's is a question, which no search looks for.
  @Test(arguments: ["sign-out", "deep-link"])
  func `a search begins with the order of the report as well`(_ name: String) async throws {
    let bug = try #require(KnownBug.all.first { $0.name == name })
    let recorded = try await RecordedBug(bug, .reported, .reported)
    let registry = recorded.registry(.reported)
    let exploration = try Explorer(recorded.scenario(registry), registry: registry).run()
    #expect(exploration.verdict == .differs, "\(exploration.doubts)")
    #expect(exploration.outcomes.first?.outcomes.filter(\.isRecorded).map(\.isUsual) == [false])
  }

  @Test(arguments: BugVerdict.all.filter { $0.rule != nil })
  func `the reported version breaks a rule or a condition`(_ known: BugVerdict) async throws {
    // Also where the recording lasted long enough for what a check finds at its end.
    let exploration = try await explore(
      known.bug, .reported, eachRule: true, rest: .seconds(1.1))
    #expect(exploration.verdict == .broken, "\(exploration.doubts)")
    #expect(
      exploration.orders.contains { $0.codes.contains(known.rule!) },
      "\(exploration.orders.map(\.codes))")
    let order = exploration.outcomes.first?.broken.first { $0.codes.contains(known.rule!) }
    #expect(try #require(order).deviations?.count == (known.rule == .invariant ? 0 : 1))
  }

  @Test(arguments: BugVerdict.all)
  func `the fixed version ends the same in every order, and breaks nothing`(
    _ known: BugVerdict
  ) async throws {
    let exploration = try await explore(known.bug, .fixed)
    #expect(
      exploration.verdict == .same,
      "\(exploration.outcomes.map { OutcomeWords($0).numbered() }) \(exploration.orders) \(exploration.doubts)"
    )
    #expect(
      exploration.outcomes.map(\.isExhaustive) == [true]
        || exploration.outcomes.map(\.complete) == [2])
  }
}

/// What `why` says of a recording that shows the bug.
@MainActor @Suite struct WhyBugTests {
  @Test func `the late answer is to blame, and had it come earlier the bug had not happened`()
    async throws
  {
    let recorded = try await RecordedBug(.signOut, .reported, .reported)
    let reader = recorded.reader
    let rows = try reader.events(session: 1)
    var last: EventRow?
    while let row = try rows.next() { if row.kind == EventKind.moved.rawValue { last = row } }
    let moved = try #require(last)
    let why = try Why(.event(moved), reader, session: 1, registry: recorded.registry(.reported))
    let names = try reader.names()
    // What was signed in again: the answer, which goes back to the question, and what came meanwhile.
    #expect(
      why.chain.compactMap { names[$0.state] } == [
        "refresh", "signOut", "signIn", "refreshed", "in",
      ])
    let nearest = try #require(why.nearest)
    let words = StepWords(nearest.scenario)
    guard case .earlier(let step, let other) = nearest.change else {
      Issue.record("\(nearest.change)")
      return
    }
    #expect(words.noun(step) == "'refreshed' (event 10, the answer to 'refresh')")
    #expect(words.noun(other) == "'signIn (2)' (event 8)")
    #expect(nearest.isClean)
  }
}
