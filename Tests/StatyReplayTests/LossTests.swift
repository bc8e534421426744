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

  /// What follows a recording's last loss.
  private struct Behind {
    /// The controllers that began there.
    var controllers: Set<Int32> = []
    /// How many decisions they made.
    var decisions = 0
    /// How many of these were made again.
    var matched = 0
    var divergences = 0
    /// Where a controller should have begun anew and had not.
    var late: [Int64] = []
  }

  /// Verifies the controllers that began behind the last loss, and checks the whole recording.
  ///
  /// - Parameter loser: the name of the controller that lost the event, if that is known. It begins anew at its
  ///   next input from outside; the others do so behind their next event, which tells them of the loss.
  private func verify(
    _ history: RecordedHistory, losing loser: String? = nil, _ told: String
  ) throws -> Behind {
    let reader = try HistoryReader(path: history.path)
    let last = try #require(try reader.losses(session: 1).last).lastSeq
    let names = Dictionary(
      uniqueKeysWithValues: try reader.controllers(session: 1).map { ($0.id, $0.name) })
    var behind = Behind()
    var knowing = Set(loser.map { [$0] } ?? [])
    let rows = try reader.events(session: 1, from: last + 1)
    while let row = try rows.next() {
      guard let kind = EventKind(rawValue: row.kind), let name = names[row.controller] else {
        continue
      }
      if kind == .attached { behind.controllers.insert(row.controller) }
      if behind.controllers.contains(row.controller) {
        behind.decisions += kind.side == .output ? 1 : 0
      } else if kind.isReplayed, kind.side == .input, kind != .detached, row.inside == 0,
        knowing.contains(name)
      {
        behind.late.append(row.seq)
      }
      knowing.insert(name)
    }
    let whole = try history.verify()
    #expect(whole.divergences == [], "\(told): \(whole)")
    #expect(
      behind.controllers.isDisjoint(with: whole.doubts.compactMap(\.controller)),
      "\(told): \(whole)")
    let there = try history.verify(only: behind.controllers)
    #expect(there.divergences == [], "\(told): \(there)")
    (behind.matched, behind.divergences) = (
      there.matched, whole.divergenceCount + there.divergenceCount
    )
    let errors = try HistoryCheck(reader).session(1).findings.filter { $0.severity == .error }
    #expect(errors == [], "\(told)")
    return behind
  }

  @Test func `behind a loss every policy is verified, and none diverges or is accused`() throws {
    var options = RecorderOptions()
    options.eventsPerThread = 64
    var (withLoss, matched) = (0, 0)
    for run in 0..<Self.runs {
      var random = SeededRandom(seed: testSeed &+ UInt64(run))
      let history = try RecordedHistory()
      let recorder = try HistoryRecorder(at: history.path, options: options)
      let scene = try record(run, &random, on: recorder, at: history.path)
      withExtendedLifetime(scene) { recorder.close() }
      guard recorder.statistics.lost > 0 else { continue }
      withLoss += 1
      let behind = try verify(history, "run \(run), seed \(testSeed)")
      #expect(behind.matched == behind.decisions, "run \(run), seed \(testSeed)")
      matched += behind.matched
    }
    #expect(withLoss * 2 > Self.runs, "seed \(testSeed)")
    #expect(matched > 5 * withLoss, "seed \(testSeed)")
    figure("\(withLoss) recordings with lost events, \(matched) decisions verified behind them")
  }

  @Test func `behind one lost event, of any sort, all that was decided is verified`() throws {
    var reasons: [String: Int] = [:]
    var (recordings, decisions, matched, divergences) = (0, 0, 0, 0)
    var run = 0
    while recordings < Self.runs {
      defer { run += 1 }
      let told = "run \(run), seed \(testSeed)"
      // Some scenes end before an event is lost.
      try #require(run < 3 * Self.runs, "\(told)")
      var random = SeededRandom(seed: testSeed &+ UInt64(run))
      let reason = LosingRecorder.reasons[random.below(3)]
      let (first, left) = (8 + random.below(12), random.below(8))
      let history = try RecordedHistory()
      let recorder = try LosingRecorder(at: history.path, losingBecause: reason)
      let scene = RandomScene(
        seed: random.next(), policies: [Self.policies[run % 6].1, Self.policies[run / 6 % 6].1],
        name: "\(run)", attach: { recorder.attach(to: $0, as: $1) }
      ) { step, play in
        if step == first { recorder.loseOne(after: left) }
        play()
      }
      withExtendedLifetime(scene) { recorder.close() }
      guard let loser = recorder.loser else { continue }
      recordings += 1
      let losses = try HistoryReader(path: history.path).losses(session: 1)
      #expect(losses.map(\.count) == [1], "\(told)")
      #expect(losses.map(\.reason) == [reason.rawValue], "\(told)")
      reasons[reason.rawValue, default: 0] += 1
      let behind = try verify(history, losing: loser, told)
      #expect(behind.late == [], "\(told)")
      #expect(behind.matched == behind.decisions, "\(told)")
      decisions += behind.decisions
      matched += behind.matched
      divergences += behind.divergences
    }
    #expect(
      reasons.count == LosingRecorder.reasons.count || Self.runs < 30,
      "\(reasons), seed \(testSeed)")
    #expect(matched > 5 * recordings, "seed \(testSeed)")
    let kinds = reasons.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    figure(
      """
      \(recordings) recordings with one lost event, \(matched) of \(decisions) decisions verified behind it, \
      \(divergences) diverged (\(kinds.joined(separator: ", ")))
      """)
  }

  @Test
  func `a class that was attached before a loss is in doubt, and one attached behind it is not`()
    throws
  {
    let history = try RecordedHistory()
    let recorder = try LosingRecorder(at: history.path, losingBecause: .overload)
    let desks = (0..<2).map { _ in Desk(probe: ControllerProbe("desk")) }
    recorder.attach(to: desks[0], as: "before")
    desks[0].transit(to: DeskState("loading"))
    recorder.loseOne(after: 0)
    desks[0].transit(to: DeskState("content"))
    // It begins anew, and is not new.
    desks[0].transit(to: DeskState("alert"))
    recorder.attach(to: desks[1], as: "behind")
    for name in ["loading", "content", "alert"] as [StateName] {
      for desk in desks { desk.transit(to: DeskState(name)) }
    }
    recorder.close()
    #expect(recorder.loser == "before")
    let reader = try HistoryReader(path: history.path)
    let lost = try #require(try reader.losses(session: 1).first).firstSeq
    #expect(
      try reader.controllers(session: 1).map(\.name) == ["before", "before", "behind"])
    let whole = try history.verify(.with(Desk.self))
    #expect(whole.verdict == .inconclusive, "\(whole)")
    #expect(
      Set(whole.doubts) == [.gap(controller: 1, seq: lost), .lateAttachment(controller: 2)],
      "\(whole)")
    #expect(whole.divergences == [])
    // Its five decisions are the only ones that were made again behind the loss.
    let behind = try history.verify(.with(Desk.self), only: [3])
    #expect(behind.verdict == .reproduced, "\(behind)")
    #expect(behind.matched == 5)
    let before = try history.verify(.with(Desk.self), only: [1, 2])
    #expect(before.verdict == .inconclusive, "\(before)")
  }
}
