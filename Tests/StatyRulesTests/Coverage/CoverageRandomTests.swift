import Chance
import Staty
import StatyHistory
import Testing

@testable import StatyRules

/// Coverage against a plain computation and against the views, on what our own controllers did.
///
/// A failure prints its seed; `STATY_SEED` set to it makes the same runs again.
@Suite struct CoverageRandomTests {
  private func history(_ policy: RandomRun.Policy, _ run: Int) -> RecordedHistory {
    var history = RandomRun(policy, seed: testSeed &+ UInt64(run)).record()
    history.firstSeq = history.rows.first?.seq
    let fidelity = Fidelity.allCases[run % 3]
    return fidelity == .full ? history : history.lowered(to: fidelity)
  }

  private func coverage(_ history: RecordedHistory) -> ControllerCoverage {
    var snapshot = history.opening.snapshot
    if history.opening.moves != nil { snapshot.states = [] }
    let record = ControllerRecord.made(
      id: history.opening.id, policy: "queue", fidelity: history.opening.fidelity.rawValue,
      snapshot: snapshot.text)
    var session = SessionCoverage(controllers: [record], firstSeq: history.firstSeq)
    session.learn(names: history.names)
    for row in history.rows { session.take(row) }
    let coverage = session.coverage(names: history.names)
    return coverage.controllers.values.first ?? ControllerCoverage()
  }

  @Test(arguments: RandomRun.Policy.allCases)
  func `it is what a plain computation says`(_ policy: RandomRun.Policy) {
    for run in 0..<150 * sweep {
      let history = history(policy, run)
      guard coverage(history) == PlainCoverage(history).touched else {
        Issue.record("STATY_SEED=\(testSeed), run \(run), \(policy.rawValue)\n\(history.lines)")
        return
      }
    }
  }

  @Test(arguments: RandomRun.Policy.allCases)
  func `it is what a plain computation says where events are missing`(_ policy: RandomRun.Policy) {
    for run in 0..<150 * sweep {
      var (history, random) = (history(policy, run), SeededRandom(seed: testSeed &+ UInt64(run)))
      for _ in 0...random.below(3) where history.rows.count > 3 {
        let first = 1 + random.below(history.rows.count - 2)
        history.rows.removeSubrange(first...min(first + random.below(8), history.rows.count - 2))
      }
      let (found, computed) = (coverage(history), PlainCoverage(history).touched)
      guard found == computed else {
        Issue.record(
          """
          STATY_SEED=\(testSeed), run \(run), \(policy.rawValue)
          \(found)
          \(computed)
          \(history.lines)
          """)
        return
      }
    }
  }

  @Test(arguments: RandomRun.Policy.allCases)
  func `its moves are those of the view`(_ policy: RandomRun.Policy) throws {
    let place = try HistoryPlace()
    try place.write { writer in
      for run in 0..<20 { try history(policy, run * 3).store(writer, "s\(run)") }
    }
    let coverage = try Coverage(ofHistoryAt: place.path)
    let touched = try #require(coverage.controllers.values.first)
    let rows = touched.moves.map { move, count in
      let from = if case .state(let name) = move.start { name } else { "" }
      return "\(from)|\(move.to)|\(count)"
    }
    let view = try place.query(#"SELECT "from", "to", sum(n) FROM transitions GROUP BY 1, 2"#)
    #expect(rows.sorted() == view.sorted(), "STATY_SEED=\(testSeed)")
    let undeclared = try place.query("SELECT count(*) FROM transitions WHERE declared = 0")
    #expect(touched.moveRows.contains { $0.isDeclared == false } == (undeclared != ["0"]))
  }

  @Test func `several histories say together what they say one by one`() {
    var (together, merged) = (ControllerCoverage(), ControllerCoverage())
    let histories = (0..<40).map { history(.routedQueue, $0) }
    for history in histories { together.merge(coverage(history)) }
    for history in histories.shuffled() { merged.merge(coverage(history)) }
    #expect(together == merged)
    #expect(
      together.pairs.values.reduce(0, +)
        == histories.reduce(0) { $0 + coverage($1).pairs.values.reduce(0, +) })
  }
}
