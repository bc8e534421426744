import Chance
import Foundation
import Testing

/// Random sequences in which recorders open, record, store, fail, are killed and are opened again.
///
/// `STATY_RECORDER_SIMULATIONS` sets their number and `STATY_SEED` the first seed. To repeat a failed simulation,
/// set the number to 1 and the seed to the printed one.
@Suite struct RecorderSimulationTests {
  private static let runs =
    ProcessInfo.processInfo.environment["STATY_RECORDER_SIMULATIONS"].flatMap { Int($0) } ?? 60

  @Test func `in every simulation, each event is stored, lost and counted, queued, or in flight`()
    throws
  {
    let directory = try RingDirectory(inMemory: true)
    let hands = (0..<3).map { Hand(isOwn: $0 == 0) }
    defer { for hand in hands { hand.end() } }
    var told = RecorderSimulation.Told()
    for run in 0..<Self.runs {
      let simulation = RecorderSimulation(seed: testSeed &+ UInt64(run), directory, hands)
      try simulation.play()
      told.add(simulation.told)
    }
    figure(
      """
      \(Self.runs) simulations of recorders of seed \(testSeed): \(told.events) events, \(told.lost) \
      lost, \(told.unfinished) unfinished, \(told.kills) kills, \(told.continued) continued, \(told.failures) failures
      """)
    #expect(told.kills > 0 && told.lost > 0 && told.unfinished > 0 && told.failures > 0)
    // Among few simulations there may be none in which a controller is recorded anew.
    #expect(told.continued > 0 && (told.anew > 0 || Self.runs < 500))
  }

  /// What follows its new beginning is lost, and the session is continued behind that.
  @Test func `the last event of a session that goes on is that of a controller recorded anew`()
    throws
  {
    let hands = (0..<3).map { Hand(isOwn: $0 == 0) }
    defer { for hand in hands { hand.end() } }
    try RecorderSimulation(seed: 2_695_234_570, RingDirectory(inMemory: true), hands).play()
  }
}

extension RecorderSimulation.Told {
  mutating func add(_ other: Self) {
    steps += other.steps
    events += other.events
    lost += other.lost
    unfinished += other.unfinished
    kills += other.kills
    failures += other.failures
    continued += other.continued
    anew += other.anew
  }
}
