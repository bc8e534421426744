import Chance
import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
import Testing

/// Random classes: what they really did never diverges, and with an output changed it is never reproduced.
@Suite struct RandomClassTests {
  /// How many recordings of each sort: `STATY_REPLAYS`, or 25; `.ci/nightly` tries more.
  private static let runs = VerificationTests.asked ?? tries(usual: 25, nightly: 250)
  /// How many of them are changed.
  private static let changed = VerificationTests.asked.map { $0 / 10 } ?? (sweep > 1 ? runs / 6 : 2)

  /// What is bracketed and reported as the documentation says.
  static let reported: [ClassProgram.Features] = [
    [], [.own], [.call], [.own, .call, .putOff], [.own, .call, .putOff, .anyOrder],
    [.own, .call, .putOff, .peer, .policy], [.own, .call, .putOff, .threads],
    [.own, .call, .putOff, .hops],
  ]
  /// Brackets that hold too much, calls without one, and steps that were not reported.
  static let unreported: [ClassProgram.Features] = [
    [.own, .call, .putOff, .keep, .speaking], [.own, .call, .bare], [.own, .barePeer],
    [.putOffBare, .call],
  ]

  private func record(
    _ seed: UInt64, _ features: ClassProgram.Features
  ) throws -> (RecordedHistory, ControllerRegistry) {
    let history = try RecordedHistory()
    let recorder = try history.recorder()
    let scene = RandomClassScene(seed: seed, features, recorder)
    withExtendedLifetime(scene) { recorder.close() }
    return (history, .with(scene.programs))
  }

  @Test(arguments: reported)
  func `what a class reports is reproduced`(_ features: ClassProgram.Features) throws {
    var empty = 0
    for run in 0..<Self.runs {
      let seed = testSeed &+ UInt64(run)
      let (history, registry) = try record(seed, features)
      let result = try history.verify(registry)
      // Some scenes hold no decision.
      let isEmpty = result.doubts == [.nothingToCompare]
      if isEmpty { empty += 1 }
      if result.verdict == .reproduced || isEmpty { continue }
      let words = try PlainRecording(history.path).words
      Issue.record("\(features.description), seed \(seed): \(result)\n\(words)")
    }
    figure(
      "\(features.description): \(Self.runs) recordings of random classes, all reproduced but "
        + "\(empty) without a decision")
  }

  @Test(arguments: unreported)
  func `a class that does not report everything is in doubt and never diverges`(
    _ features: ClassProgram.Features
  ) throws {
    var (reproduced, undecidable) = (0, 0)
    for run in 0..<Self.runs {
      let seed = testSeed &+ UInt64(run)
      let (history, registry) = try record(seed, features)
      let result = try history.verify(registry)
      reproduced += result.verdict == .reproduced ? 1 : 0
      guard let divergence = result.divergences.first else { continue }
      let recording = try PlainRecording(history.path)
      if features.contains(.bare), recording.isAskedAgain(before: divergence.seq) {
        undecidable += 1
        continue
      }
      Issue.record("\(features.description), seed \(seed): \(result)\n\(recording.words)")
    }
    #expect(2 * reproduced > Self.runs)
    // One in 2,000 was seen.
    #expect(undecidable <= 1 + Self.runs / 200)
    figure(
      "\(features.description): \(reproduced) of \(Self.runs) reproduced, \(undecidable) undecidable, "
        + "no other diverges")
  }

  @Test(arguments: reported + unreported)
  func `with an output taken out, doubled or swapped it is not reproduced`(
    _ features: ClassProgram.Features
  ) throws {
    var verdicts: [ReplayResult.Verdict: Int] = [:]
    var alike = 0
    for run in 0..<Self.changed {
      let seed = testSeed &+ UInt64(run)
      let (history, registry) = try record(seed, features)
      try history.spread()
      let recording = try PlainRecording(history.path)
      let mutations = Mutation.all(of: recording, reach: 2, across: 1)
      for mutation in mutations where mutation.isOfOutputs && !mutation.isOfUnreportedStep {
        let changed = try history.mutated(mutation)
        let result = try changed.verify(registry)
        verdicts[result.verdict, default: 0] += 1
        if result.verdict != .reproduced { continue }
        // A class that does not report its steps may have made an output in any of them.
        if mutation.isOfEqualCalls(recording) || Self.unreported.contains(where: { $0 == features })
        {
          alike += 1
          continue
        }
        Issue.record(
          "\(features.description), seed \(seed), \(mutation): \(result)\n\(recording.words)")
      }
    }
    #expect(alike <= 1 + verdicts.values.reduce(0, +) / 100)
    let counts = verdicts.map { "\($0.value) \($0.key)" }.sorted().joined(separator: ", ")
    figure(
      "\(features.description): of changed recordings \(counts), \(alike) of them undecidable"
    )
  }
}

extension PlainRecording {
  /// Whether an object was requested again in the handling of another input, in the same call from outside
  /// as this event.
  ///
  /// If a delegate asked that was called without a bracket, and the class asks for the same object where
  /// nobody else did, then nothing tells the one from the other. It would be in doubt only if every class
  /// that asks for an object again were.
  fileprivate func isAskedAgain(before seq: Int64) -> Bool {
    let root = root(of: seq)
    return rows.contains {
      $0.seq < seq && $0.kind == EventKind.enqueued.rawValue && $0.inside != 0
        && details[$0.seq]?.instance ?? 0 != 0 && self.root(of: $0.seq) == root
    }
  }

  private func root(of seq: Int64) -> Int64 {
    var seq = seq
    while let row = rows.first(where: { $0.seq == seq }), row.inside != 0 { seq = row.inside }
    return seq
  }
}

extension Mutation {
  /// Whether the removed output was made in an unreported step: the recording does not show whether
  /// such a step ran.
  fileprivate var isOfUnreportedStep: Bool {
    guard case .delete(let row) = self else { return false }
    return row.inside == 0
  }

  /// Whether the removed or doubled call equals the next one in its place.
  ///
  /// What happened in the second may have happened in the first. Then the class may not have made another,
  /// or not until the recording ended; and what happens in its calls decides how many a class makes.
  fileprivate func isOfEqualCalls(_ recording: PlainRecording) -> Bool {
    let row: EventRow
    switch self {
    case .delete(let removed): row = removed
    case .duplicate(let doubled): row = doubled
    case .swap: return false
    }
    guard row.kind == EventKind.calling.rawValue,
      let next = recording.rows.first(where: {
        $0.seq > row.seq && $0.controller == row.controller && $0.inside == row.inside
          && $0.part == row.part
      })
    else { return false }
    return next.kind == row.kind && next.state == row.state
  }
}
