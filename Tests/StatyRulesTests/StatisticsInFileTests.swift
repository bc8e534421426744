import Chance
import Staty
import StatisticsOracle
import StatyHistory
import Testing

@testable import StatyRules

/// The views with statistics, on random histories of every policy.
@Suite struct StatisticsInFileTests {
  @Test(arguments: RandomRun.Policy.allCases)
  func `the views agree with a plain computation at every fidelity`(
    _ policy: RandomRun.Policy
  ) throws {
    let place = try HistoryPlace()
    var (sessions, fidelities) = ([RecordedHistory](), [Fidelity]())
    for run in 0..<30 as Range<UInt64> {
      let history = RandomRun(policy, seed: testSeed &+ run).record()
      let fidelity = Fidelity.allCases[Int(run % 3)]
      sessions.append(fidelity == .full ? history : history.lowered(to: fidelity))
      fidelities.append(fidelity)
    }
    var random = SeededRandom(seed: testSeed)
    var lost: [(session: Int, after: Int64)] = []
    try place.write { writer in
      for (number, var history) in sessions.enumerated() {
        if number % 2 == 1, history.rows.count > 8 {
          lost.append((number + 1, history.rows.remove(at: 2 + random.below(5)).seq))
        }
        try history.store(writer, "s\(number)")
      }
    }
    for (session, fidelity) in fidelities.enumerated() {
      try place.tamper(
        "UPDATE controller SET fidelity = \(fidelity.rawValue) WHERE session = \(session + 1)")
    }
    for one in lost {
      // The file numbers the events of a session from its first number on.
      try place.tamper(
        """
        INSERT INTO loss SELECT first_seq - 1 + \(one.after), first_seq - 1 + \(one.after), 1, 'full'
        FROM session WHERE id = \(one.session)
        """)
    }
    let difference = try ViewRows.firstDifference(at: place.path)
    #expect(difference == nil, "STATY_SEED=\(testSeed)")
    #expect(try place.query("SELECT count(*) > 40 FROM slowest") == ["1"])
  }
}
