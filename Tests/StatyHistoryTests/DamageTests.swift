import Chance
import Foundation
import StatyHistory
import StatyReading
import StatySQLite
import Testing

/// Bits that flip and ends that are gone: what changes anything that was recorded is noticed, and
/// what changes nothing does no harm.
///
/// `STATY_FLIPS` says how many are tried, `STATY_SEED` which.
@Suite struct DamageTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["STATY_FLIPS"].flatMap { Int($0) } ?? 300

  private enum Outcome {
    case noticed, harmless, unnoticed
  }

  @Test func `damage that changes what was recorded is noticed`() throws {
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden/v\(HistoryFile.schemaVersion).sqlite")
    let sound = Array(try Data(contentsOf: golden))
    let said = try content(of: golden.path)
    let place = try TemporaryHistory()
    var random = SeededRandom(seed: testSeed)
    var outcomes: [Outcome: Int] = [:]
    for round in 0..<Self.rounds {
      var bytes = sound
      let what = damage(&bytes, &random)
      try Data(bytes).write(to: URL(fileURLWithPath: place.path))
      let outcome = outcome(at: place.path, said)
      outcomes[outcome, default: 0] += 1
      if outcome == .unnoticed {
        print("unnoticed in round \(round) of STATY_SEED=\(testSeed): \(what)")
      }
    }
    let changed = outcomes[.noticed, default: 0] + outcomes[.unnoticed, default: 0]
    figure(
      """
      \(Self.rounds) damaged files of seed \(testSeed): \(changed) changed what was recorded, \
      \(outcomes[.unnoticed, default: 0]) of them unnoticed
      """)
    #expect(changed > Self.rounds / 6)
    #expect(1_000 * outcomes[.unnoticed, default: 0] <= changed)
  }

  /// Flips a bit or cuts the end off.
  ///
  /// - Returns: what it did.
  private func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) -> String {
    if Int.random(in: 0..<20, using: &random) == 0 {
      let length = Int.random(in: 0..<bytes.count, using: &random)
      bytes.removeLast(bytes.count - length)
      return "cut to \(length) bytes"
    }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let bit = Int.random(in: 0..<8, using: &random)
    bytes[place] ^= 1 << bit
    return "bit \(bit) of byte \(place)"
  }

  private func outcome(at path: String, _ said: String) -> Outcome {
    do {
      let reader = try HistoryReader(receivedAt: path)
      guard try reader.firstStorageFault() == nil else { return .noticed }
      for session in try reader.sessions() {
        let damage = try ChainVerifier(reader).firstDamage(session: session.id)
        guard damage == nil else { return .noticed }
      }
      return try content(of: path) == said ? .harmless : .unnoticed
    } catch {
      return .noticed
    }
  }

  /// All that a history says.
  private func content(of path: String) throws -> String {
    let reader = try HistoryReader(receivedAt: path)
    var text = ""
    try HistoryExport(reader).write(reader.sessions()) { text += $0 }
    return text
  }
}
