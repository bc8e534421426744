import Chance
import Staty
import StatyHistory
import Testing

@testable import StatyRules

/// Checks random histories of Staty's own controllers.
///
/// A failure prints its seed; `STATY_SEED` set to it makes the same runs again.
@Suite("Clean histories")
struct CleanHistoryTests {
  private static let runs = tries(usual: 100, nightly: 300)

  private func expectNoError(
    _ history: RecordedHistory, _ policy: RandomRun.Policy, _ seed: UInt64
  ) -> Bool {
    let errors = history.findings().filter { $0.severity == .error }
    if errors.isEmpty { return true }
    Issue.record(
      """
      \(policy.rawValue): \(history.words(errors).joined(separator: " "))
      STATY_SEED=\(seed) makes it the first run. Events:
      \(history.lines)
      """)
    return false
  }

  @Test(arguments: RandomRun.Policy.allCases)
  func `raise no error`(_ policy: RandomRun.Policy) {
    for run in 0..<UInt64(Self.runs) {
      let seed = testSeed &+ run
      let history = RandomRun(policy, seed: seed).record()
      guard expectNoError(history, policy, seed) else { return }
    }
  }

  @Test(arguments: RandomRun.Policy.allCases)
  func `raise no error at lower fidelities`(_ policy: RandomRun.Policy) {
    for run in 0..<UInt64(Self.runs / 4) {
      let seed = testSeed &+ run
      let history = RandomRun(policy, seed: seed, withEnds: false).record()
      guard expectNoError(history.lowered(to: .ordered), policy, seed),
        expectNoError(history.lowered(to: .threeKind), policy, seed)
      else { return }
    }
  }

  @Test(arguments: RandomRun.Policy.allCases)
  func `raise no error when events are missing`(_ policy: RandomRun.Policy) {
    for run in 0..<UInt64(Self.runs) {
      let seed = testSeed &+ run
      var random = SeededRandom(seed: seed)
      var history = RandomRun(policy, seed: seed).record()
      history.lose(&random)
      guard expectNoError(history, policy, seed) else { return }
      history.opening.fidelity = .ordered
      guard expectNoError(history, policy, seed) else { return }
    }
  }

  @Test(arguments: RandomRun.Policy.allCases)
  func `raise no error when events are missing and only three kinds are recorded`(
    _ policy: RandomRun.Policy
  ) {
    for run in 0..<UInt64(Self.runs / 2) {
      let seed = testSeed &+ run
      var random = SeededRandom(seed: seed)
      var history = RandomRun(policy, seed: seed, withEnds: false).record().lowered(to: .threeKind)
      history.lose(&random)
      guard expectNoError(history, policy, seed) else { return }
    }
  }

  @Test(arguments: RandomRun.Policy.allCases)
  func `give the same findings when they are checked event by event`(_ policy: RandomRun.Policy) {
    for run in 0..<50 {
      let history = RandomRun(policy, seed: testSeed &+ UInt64(run)).record()
      var checker = SessionChecker(session: 1)
      checker.add(history.opening)
      checker.learn(names: history.names)
      var found: [Finding] = []
      for row in history.rows {
        checker.take(row, history.details[row.seq])
        found += checker.drain()
        let copy = checker
        let errors = copy.findingsAtEnd(endTime: row.time, isCut: false).filter {
          $0.severity == .error
        }
        #expect(errors.isEmpty || history.opening.fidelity != .full, "seed \(testSeed) \(errors)")
      }
      found += checker.findingsAtEnd(
        endTime: (history.rows.last?.time ?? 0) + history.rest, isCut: false)
      #expect(found.sorted() == history.findings(), "seed \(testSeed)")
    }
  }
}

extension RecordedHistory {
  /// Removes events in up to four places, but not the last one.
  fileprivate mutating func lose(_ random: inout SeededRandom) {
    firstSeq = rows.first?.seq
    for _ in 0...random.below(3) where rows.count > 2 {
      let first = random.below(rows.count - 1)
      let last = min(first + random.below(8), rows.count - 2)
      rows.removeSubrange(first...last)
    }
  }
}
