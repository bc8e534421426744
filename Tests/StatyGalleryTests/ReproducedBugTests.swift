import Staty
import StatyGallery
import StatyHistory
import StatyReading
import StatyReplay
import StatyRules
import StatyTesting
import Testing

/// The order of each report is reproduced, minimized, and made into a test.
@MainActor @Suite struct ReproducedBugTests {
  @Test(arguments: BugVerdict.all)
  func `the reported order is reproduced`(_ known: BugVerdict) async throws {
    let recorded = try await RecordedBug(known.bug, .reported, .reported)
    let verification = try Verification(
      recorded.reader, session: 1, registry: recorded.registry(.reported))
    let result = try verification.run().confirmed(by: verification.run())
    #expect(result.verdict == .reproduced, "\(result.doubts)")
    #expect(result.matched > 0)
  }

  /// What is left of the reported inputs, by the names of the bugs.
  private static let least = [
    "sign-out": 4, "deep-link": 3, "pause": 3, "progress-hud": 3, "two-alerts": 3, "double-pop": 4,
    "presentation": 3, "banners": 2, "purchases": 2,
  ]

  /// The finding of a bug that a run of its app can show.
  private func finding(_ known: BugVerdict, _ recorded: RecordedBug) throws -> Finding? {
    let result = try #require(try HistoryCheck(recorded.reader).file().first)
    return (result.findings + result.notes).first {
      $0.code != .mirror
        && (known.found + known.noted + [known.rule].compactMap(\.self))
          .contains($0.code)
    }
  }

  @Test(arguments: BugVerdict.all.filter { $0.bug.minimizing != nil })
  func `nothing is left that the bug does not need`(_ known: BugVerdict) async throws {
    let recorded = try await RecordedBug(known.bug, .reported, .reported, rest: .seconds(2.1))
    let finding = try finding(known, recorded)
    var options = Minimizer.Options()
    options.codes = finding == nil ? [.invariant] : [finding!.code]
    let minimizer = try Minimizer(
      recorded.reader, session: 1, finding: finding, only: recorded.own,
      registry: recorded.registry(.reported), options: options)
    let minimization = try minimizer.run()
    #expect(minimization.doubts.isEmpty, "\(minimization.doubts)")
    #expect(minimization.requests.after == Self.least[known.bug.name], "\(minimization.requests)")
    // The smallest run has the finding.
    #expect(minimization.finding.code == finding?.code ?? .invariant)
    // With the fixed app, no order has it; a note may be right.
    let fixed = try recorded.scenario(recorded.registry(.fixed))
    var search = Explorer.Options()
    search.codes = options.codes
    let exploration = try Explorer(
      fixed, registry: recorded.registry(.fixed), options: search
    ).run()
    let found = exploration.orders.flatMap(\.findings).filter { $0.severity != .note }
    #expect(found.isEmpty, "\(found)")
  }

  /// The registry of the tool: the app of the report, and the fixed one by its own name.
  private var gallery: ControllerRegistry {
    var registry = ControllerRegistry()
    registry.registerGallery()
    return registry
  }

  @Test(arguments: BugVerdict.all.filter { $0.rule != nil })
  func `a written test fails with the bug, and passes with the fixed app`(
    _ known: BugVerdict
  ) async throws {
    let recorded = try await RecordedBug(known.bug, .reported, .reported, rest: .seconds(2.1))
    // It is tried with both before it is written.
    let test = try generateTest(
      from: recorded.path, in: gallery, right: "\(known.bug.kind)-fixed", as: ".gallery")
    #expect(test.contains("\"\(known.bug.kind)\""), "\(test)")
  }

  @Test(arguments: BugVerdict.all.filter { $0.isByOutcome && $0.rule == nil })
  func `a test of the outcome fails with the bug, and passes with the fixed app`(
    _ known: BugVerdict
  ) async throws {
    let recorded = try await RecordedBug(known.bug, .reported, .harmless)
    let path = recorded.path
    withKnownIssue {
      expectOneOutcome(path, in: recorded.registry(.reported))
    } matching: {
      $0.comments.contains { $0.rawValue.contains("2 outcomes") }
    }
    expectOneOutcome(path, in: recorded.registry(.fixed))
  }
}
