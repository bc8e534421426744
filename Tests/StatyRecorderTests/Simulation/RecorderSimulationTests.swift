import Chance
import Foundation
import Testing

/// Recorders that begin, record, store, fail, are killed and are begun anew, as a dice has it.
///
/// `STATY_RECORDER_SIMULATIONS` says how many are played, `STATY_SEED` which: with a seed that was
/// printed and one simulation it is that one again.
@Suite struct RecorderSimulationTests {
  private static let runs =
    ProcessInfo.processInfo.environment["STATY_RECORDER_SIMULATIONS"].flatMap { Int($0) } ?? 60

  @Test func `whatever happens, every event is stored, lost and counted, queued or in flight`()
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
    #expect(told.continued > 0)
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
  }
}
