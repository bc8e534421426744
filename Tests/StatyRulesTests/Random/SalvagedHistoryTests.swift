import Chance
import Foundation
import StatisticsOracle
import Staty
import StatyHistory
import StatyReading
import Testing

@testable import StatyRules

/// The findings in what salvage reads from a damaged history.
///
/// `STATY_SALVAGES` says how many files are damaged for each policy, `STATY_SEED` how.
@Suite struct SalvagedHistoryTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["STATY_SALVAGES"].flatMap { Int($0) } ?? 1

  @Test(arguments: RandomRun.Policy.allCases)
  func `salvage adds no findings`(_ policy: RandomRun.Policy) throws {
    for round in 0..<Self.rounds {
      let seed = testSeed &+ UInt64(round)
      var random = SeededRandom(seed: seed)
      let place = try HistoryPlace()
      try place.write { writer in
        for session in 0..<6 as Range<UInt64> {
          let history = RandomRun(policy, seed: seed &* 100 &+ session).record()
          try history.store(writer, "s\(session)")
          try writer.reseal(
            session: Int64(session) + 1, longestRun: [10, 40, nil][random.below(3)])
        }
      }
      let before = try found(in: place.path)
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: place.path)))
      for _ in 0..<[1, 2, 10, 100][random.below(4)] {
        bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
      }
      if random.chance(20) { bytes.removeLast(random.below(bytes.count / 2)) }
      let said = "\(policy.rawValue), STATY_SEED=\(seed) makes it the first"
      do {
        let after = try found(in: salvaged(bytes, place.path))
        #expect(after.subtracting(before) == [], "\(said)")
      } catch {
        Issue.record(error, "\(said)")
      }
    }
  }

  private func salvaged(_ bytes: [UInt8], _ path: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let target = path + "-salvaged"
    let writer = try HistoryWriter(path: target)
    _ = try HistorySalvage(path).write(into: writer)
    try writer.close()
    return target
  }

  /// The findings, as lines that can be compared.
  private func found(in path: String) throws -> Set<String> {
    let reader = try HistoryReader(receivedAt: path)
    let names = try reader.names()
    return try reader.sessions().reduce(into: []) { found, session in
      for finding in try HistoryCheck(reader).session(session.id).findings {
        found.insert(
          "\(session.id) \(finding.code) \(finding.seq) \(finding.visit) "
            + (names[finding.state] ?? ""))
      }
    }
  }
}
