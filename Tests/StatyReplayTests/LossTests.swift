import Chance
import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyRules
import StatySQLite
import Testing

@testable import StatyReplay

/// The recorder has no room for a while: what comes behind the loss is verified again.
@Suite struct LossTests {
  /// How many recordings: `STATY_REPLAYS`, or 60.
  private static let runs = VerificationTests.asked ?? 60
  /// How many records the ring has room for: one thread can have 29 pieces of 4.
  private static let room: UInt64 = 116
  private static let policies = VerificationTests.policies

  /// Records a random scene of which some events find no room.
  ///
  /// - Returns: the scene, which has to live until the recorder is closed.
  private func record(
    _ run: Int, _ random: inout SeededRandom, on recorder: HistoryRecorder, at path: String
  ) throws -> RandomScene {
    var failure: (any Error)?
    let full = 9 + random.below(12)
    let (left, length) = (UInt64(random.below(8)), random.below(4))
    var lock: Connection?
    let seed = random.next()
    let scene = RandomScene(
      seed: seed, policies: [Self.policies[run % 6].1, Self.policies[run / 6 % 6].1],
      recorder: recorder, name: "\(run)"
    ) { step, play in
      do {
        if step == full {
          try recorder.flush()
          let connection = try Connection(path: path, mode: .readWrite)
          connection.setBusyTimeout(milliseconds: 5_000)
          try connection.execute("BEGIN IMMEDIATE")
          lock = connection
          while recorder.statistics.queued < Self.room - left, recorder.statistics.lost == 0 {
            recorder.mark("no room")
          }
        }
        play()
        if step == full + length, let connection = lock.take() {
          try connection.execute("COMMIT")
          try connection.close()
          try recorder.flush()
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    // The scene has ended before.
    try lock?.execute("COMMIT")
    try lock?.close()
    return scene
  }

  @Test func `behind a loss every policy is verified, and none diverges or is accused`() throws {
    var options = RecorderOptions()
    options.eventsPerThread = 64
    var (withLoss, behind) = (0, 0)
    for run in 0..<Self.runs {
      var random = SeededRandom(seed: testSeed &+ UInt64(run))
      let history = try RecordedHistory()
      let recorder = try HistoryRecorder(at: history.path, options: options)
      let scene = try record(run, &random, on: recorder, at: history.path)
      withExtendedLifetime(scene) { recorder.close() }
      guard recorder.statistics.lost > 0 else { continue }
      withLoss += 1
      let reader = try HistoryReader(path: history.path)
      let result = try history.verify()
      let told = "run \(run), seed \(testSeed): \(result)"
      #expect(result.divergences == [], "\(told)")
      let last = try #require(try reader.losses(session: 1).last).lastSeq
      // The controllers that began behind the loss.
      let whole = try history.rows(
        """
        SELECT what >> 14 FROM event
        WHERE what & 31 = \(EventKind.attached.rawValue) AND seq > \(last)
        """
      ).compactMap { Int32($0) }
      let doubted = Set(result.doubts.compactMap(\.controller))
      #expect(doubted.isDisjoint(with: whole), "\(told)")
      if whole.isEmpty { continue }
      let there = try history.verify(only: Set(whole))
      #expect(there.divergences == [], "\(told)")
      behind += there.matched
      let errors = try HistoryCheck(reader).session(1).findings.filter { $0.severity == .error }
      #expect(errors == [], "\(told)")
    }
    #expect(withLoss * 2 > Self.runs, "seed \(testSeed)")
    #expect(behind > 5 * withLoss, "seed \(testSeed)")
  }
}
