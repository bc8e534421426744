import Staty
import StatyHistory
import StatyRecorder
import Testing

@testable import StatyReplay

/// Recordings of policies that say less than a recorder does, as logs of other programs do.
@Suite struct PolicyFidelityTests {
  @Test(arguments: 0..<6)
  func `random histories of every policy are reproduced from their order alone`(
    _ place: Int
  ) throws {
    let (name, policy) = VerificationTests.policies[place]
    let history = try RecordedHistory()
    try history.record(seed: testSeed, runs: 12, policy)
    let full = try history.verify()
    try history.change("UPDATE event SET back = NULL")
    try history.change("UPDATE controller SET fidelity = 2")
    let result = try history.verify()
    let told = "\(name), seed \(testSeed): \(result.divergences.first.map { "\($0)" } ?? "")"
    #expect(result.verdict == .reproduced, "\(told)")
    #expect(result.matched == full.matched, "\(told)")
  }

  @Test func `an output that came in another order diverges without causes, too`() throws {
    let history = try RecordedHistory()
    try history.record()
    let seq = try history.number(of: "entering", visit: 2)
    try history.change("UPDATE event SET back = NULL")
    try history.change("UPDATE controller SET fidelity = 2")
    #expect(try history.verify().verdict == .reproduced)
    try history.change("UPDATE event SET visit = 3 WHERE seq = \(seq)")
    let result = try history.verify()
    #expect(result.verdict == .diverged)
    #expect(result.divergences.first?.seq == Int64(seq))
  }

  @Test func `of three kinds it is compared whether completions fit`() throws {
    let history = try RecordedHistory()
    try history.record()
    try history.change("UPDATE event SET back = NULL")
    try history.change("UPDATE controller SET fidelity = 3")
    try history.change("DELETE FROM event WHERE what & 15 NOT IN (1, 3, 5, 7, 12)")
    #expect(try history.verify().verdict == .reproduced)
    let seq = try history.number(of: "entered", visit: 2)
    try history.change("UPDATE event SET visit = 3 WHERE seq = \(seq)")
    let result = try history.verify()
    #expect(result.verdict == .diverged)
    #expect(result.divergences.first?.seq == Int64(seq))
  }
}

extension RecordedHistory {
  /// Records random scenes.
  func record(seed: UInt64, runs: Int, _ policy: any TransitionPolicy) throws {
    let recorder = try HistoryRecorder(at: path)
    for run in 0..<runs {
      let other = VerificationTests.policies[run % 6].1
      _ = RandomScene(
        seed: seed &+ UInt64(run), policies: [policy, other], recorder: recorder, name: "\(run)")
    }
    recorder.close()
  }
}
