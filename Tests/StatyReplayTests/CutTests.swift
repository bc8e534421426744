import Chance
import Foundation
import StatisticsOracle
import Staty
import StatyHistory
import StatyRecorder
import StatyRules
import Testing

@testable import StatyReplay

/// What is left of a recording whose beginning was cut off.
@Suite struct CutTests {
  @Test(arguments: 0..<6)
  func `what is left is reproduced, wherever it is cut`(_ place: Int) throws {
    let (name, policy) = VerificationTests.policies[place]
    let seed = testSeed
    let history = try RecordedHistory()
    let recorder = try history.recorder()
    for run in 0..<8 {
      let other = VerificationTests.policies[run % 6].1
      _ = RandomScene(
        seed: seed &+ UInt64(run), policies: [policy, other], recorder: recorder, name: "\(run)")
    }
    recorder.close()
    let whole = try findings(history)
    var random = SeededRandom(seed: seed)
    var known = 0
    for cut in 0..<20 {
      let told = "\(name), seed \(seed), cut \(cut)"
      guard try self.cut(history, length: Int64(5 + random.below(60))) else { break }
      let result = try history.verify()
      // Of some nothing is left that anybody decided.
      if result.doubts != [.nothingToCompare] {
        #expect(result.verdict == .reproduced, "\(told) \(result)")
      }
      #expect(result.unreached == [], "\(told)")
      #expect(try errors(findings(history)).isSubset(of: errors(whole)), "\(told)")
      let reader = try HistoryReader(path: history.path)
      #expect(try ChainVerifier(reader).firstDamage(session: 1) == nil, "\(told)")
      let difference = try ViewRows.firstDifference(at: history.path)
      #expect(difference == nil, "\(told)")
      known += try reader.controllers(session: 1).count { $0.cut?.standing == .known }
    }
    #expect(known > 10)
  }

  @Test func `a fold that begins at a cut says what one from the beginning says`() throws {
    let seed = testSeed
    let history = try RecordedHistory()
    let recorder = try history.recorder()
    for run in 0..<8 {
      _ = RandomScene(
        seed: seed &+ UInt64(run), policies: [.queue, .latest], recorder: recorder, name: "\(run)")
    }
    recorder.close()
    let other = try RecordedHistory()
    try FileManager.default.copyItem(atPath: history.path, toPath: other.path)
    // One is cut by one fold, the other by a new one each time.
    let writer = try HistoryWriter(path: history.path)
    try writer.reseal(session: 1, longestRun: 25)
    var fold = try SessionFold(writer.reader(), session: 1)
    var cuts = 0
    while let run = try writer.oldest(session: 1) {
      let controllers = try #require(
        try fold.advance(writer.reader(), through: run.upperBound))
      try writer.cut(session: 1, through: run.upperBound, controllers)
      guard try cut(other, length: 25, reseals: cuts == 0) else { break }
      cuts += 1
      let reader = try HistoryReader(path: other.path)
      #expect(
        try writer.reader().controllers(session: 1) == reader.controllers(session: 1),
        "seed \(seed), cut \(cuts)")
    }
    try writer.close()
    #expect(cuts > 10)
  }

  @Test func `after a loss it is not known where the controllers stood, and the replay says so`()
    throws
  {
    let history = try RecordedHistory()
    try history.record()
    let seq = try history.number(of: "exiting", visit: 1)
    let writer = try HistoryWriter(path: history.path)
    try writer.close()
    try history.change("DELETE FROM event WHERE seq = \(seq)")
    try history.change("INSERT INTO loss VALUES (\(seq), \(seq), 1, 'overload')")
    #expect(try cut(history, length: Int64(seq)! + 1))
    let result = try history.verify()
    #expect(result.verdict == .inconclusive)
    #expect(result.doubts == [.cut(controller: 1, seq: Int64(seq)! + 3)])
    #expect(try errors(findings(history)) == [])
  }

  @Test func `a controller that went another way than its policy is not known any more`() throws {
    let history = try RecordedHistory()
    try history.record()
    let seq = try history.number(of: "entering", visit: 2)
    try history.change("UPDATE event SET visit = 3 WHERE seq = \(seq)")
    #expect(try cut(history, length: Int64(seq)! + 1))
    let doubts = try history.verify().doubts
    #expect(doubts.count == 1)
    guard case .cut(controller: 1, _)? = doubts.first else {
      Issue.record("\(doubts)")
      return
    }
  }

  /// Cuts the oldest events off; whether there were enough.
  private func cut(
    _ history: RecordedHistory, length: Int64, reseals: Bool = true
  ) throws -> Bool {
    let writer = try HistoryWriter(path: history.path)
    defer { try? writer.close() }
    if reseals { try writer.reseal(session: 1, longestRun: length) }
    guard let run = try writer.oldest(session: 1, keeping: 1) else { return false }
    var fold = try SessionFold(writer.reader(), session: 1)
    let controllers = try #require(try fold.advance(writer.reader(), through: run.upperBound))
    try writer.cut(session: 1, through: run.upperBound, controllers)
    return true
  }

  private func findings(_ history: RecordedHistory) throws -> [Finding] {
    try HistoryCheck(HistoryReader(path: history.path)).session(1).findings
  }

  /// The errors, by rule, controller and visit: the event may be another after a cut.
  private func errors(_ findings: [Finding]) -> Set<String> {
    Set(
      findings.filter { $0.severity == .error }.map {
        "\($0.code.rawValue) \($0.controller) \($0.visit)"
      })
  }
}
