import Chance
import Foundation
import StatyHistory
import StatyReading
import Testing

/// Bits that flip and ends that are gone: what changes any row of any view is noticed, and what changes
/// nothing does no harm.
///
/// `STATY_FLIPS` says how many are tried, `STATY_SEED` which.
@Suite struct DamageTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["STATY_FLIPS"].flatMap { Int($0) } ?? 300

  private let place: Place
  private let sound: [UInt8]
  private let said: [[String]]

  init() throws {
    place = try Place()
    try place.writeEverything()
    sound = Array(try Data(contentsOf: URL(fileURLWithPath: place.path())))
    said = try place.views()
  }

  @Test func `a flipped bit that a view shows is noticed`() throws {
    var random = SeededRandom(seed: testSeed)
    var (noticed, shown) = (0, 0)
    for round in 0..<Self.rounds {
      var bytes = sound
      let at = Int.random(in: 0..<bytes.count, using: &random)
      let bit = Int.random(in: 0..<8, using: &random)
      bytes[at] ^= 1 << bit
      if try isRefused(bytes) {
        noticed += 1
      } else if (try? place.views()) != said {
        shown += 1
        Issue.record("round \(round) of STATY_SEED=\(testSeed): bit \(bit) of byte \(at)")
      }
    }
    figure(
      """
      \(Self.rounds) damaged files of seed \(testSeed): \(noticed) refused, \
      \(shown) of them unnoticed although a view shows it
      """)
    // A fifth of the bits count. In a few hundred rounds, chance can make that a sixth.
    #expect(noticed > Self.rounds / 10)
  }

  @Test func `a file that was cut off is noticed`() throws {
    var random = SeededRandom(seed: testSeed)
    for _ in 0..<max(20, Self.rounds / 100) {
      let length = Int.random(in: 0..<sound.count, using: &random)
      #expect(try isRefused(Array(sound.prefix(length))), "\(length) bytes")
    }
  }

  private func isRefused(_ bytes: [UInt8]) throws -> Bool {
    try Data(bytes).write(to: URL(fileURLWithPath: place.path()))
    return place.isRefused
  }
}
