import Chance
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
    try history.change("UPDATE event SET inside = NULL, ref = CASE WHEN what & 31 = 3 THEN ref END")
    try history.change("UPDATE controller SET fidelity = 2")
    let result = try history.verify()
    let told = "\(name), seed \(testSeed): \(result.divergences.first.map { "\($0)" } ?? "")"
    #expect(result.divergences.isEmpty && result.unreached.isEmpty, "\(told)")
    // What was made in what the order does not tell.
    let others = result.doubts.filter {
      if case .unbracketed = $0 { false } else { true }
    }
    #expect(others.isEmpty, "\(others), \(told)")
    #expect(result.matched == full.matched, "\(told)")
  }

  @Test(arguments: ["exiting", "entering"])
  func `in order alone a decision that is missing or late is never taken for made`(
    _ kind: String
  ) throws {
    let log = """
      {"format":"staty-history","version":1}
      {"type":"controller","controller":"screen","policy":"queue"}
      {"kind":"enqueued","controller":"screen","state":"a","t_ms":1}
      {"kind":"entering","controller":"screen","state":"a","t_ms":2}
      {"kind":"entered","controller":"screen","state":"a","t_ms":3}
      {"kind":"enqueued","controller":"screen","state":"b","t_ms":4}
      {"kind":"exiting","controller":"screen","state":"a","t_ms":5}
      {"kind":"exited","controller":"screen","state":"a","t_ms":6}
      {"kind":"entering","controller":"screen","state":"b","t_ms":7}
      {"kind":"entered","controller":"screen","state":"b","t_ms":8}

      """
    let whole = try RecordedHistory(log)
    #expect(try whole.verify().verdict == .reproduced)
    let lines = log.split(separator: "\n").filter {
      !($0.contains("\"\(kind)\"") && $0.contains(kind == "exiting" ? "\"a\"" : "\"b\""))
    }
    let part = try RecordedHistory(lines.joined(separator: "\n") + "\n")
    #expect(try part.verify().verdict != .reproduced)
  }

  @Test(arguments: ["killed", "clean"])
  func `a decision that was never made is one in a killed session, too`(_ ended: String) throws {
    let log = """
      {"format":"staty-history","version":1}
      {"type":"controller","controller":"screen","policy":"queue"}
      {"type":"controller","controller":"other","policy":"queue"}
      {"kind":"enqueued","controller":"screen","state":"a","t_ms":1}
      {"kind":"enqueued","controller":"other","state":"a","t_ms":5000}

      """
    let history = try RecordedHistory(log)
    try history.change("UPDATE controller SET fidelity = 1")
    try history.change("UPDATE session SET ended = '\(ended)'")
    let result = try history.verify()
    #expect(result.verdict == .diverged, "\(result)")
    #expect(result.divergences.first?.controller == 1)
  }

  @Test func `an output in another order diverges without causes, too`() throws {
    let history = try RecordedHistory()
    try history.record()
    let seq = try history.number(of: "entering", visit: 2)
    try history.change("UPDATE event SET inside = NULL, ref = CASE WHEN what & 31 = 3 THEN ref END")
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
    try history.change("UPDATE event SET inside = NULL, ref = CASE WHEN what & 31 = 3 THEN ref END")
    try history.change("UPDATE controller SET fidelity = 3")
    try history.change("DELETE FROM event WHERE what & 31 NOT IN (1, 3, 5, 7, 12)")
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
