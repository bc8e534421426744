import StatyReading
import Chance
import Foundation
import Staty
import StatyHistory
import Testing

/// Whatever is damaged, and however much: what is recovered was recorded like that, or is reported
/// as unknown.
///
/// `STATY_SALVAGES` says how many files are damaged, `STATY_SEED` how.
@Suite struct SalvageSoundnessTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["STATY_SALVAGES"].flatMap { Int($0) } ?? 8

  @Test func `of a damaged file nothing comes out that was not recorded`() throws {
    var sum = (events: 0, kept: 0, leftOut: 0, files: 0)
    for round in 0..<Self.rounds {
      let seed = testSeed &+ UInt64(round)
      var random = SeededRandom(seed: seed)
      let recording = try RandomRecording(&random)
      var bytes = recording.bytes
      let times = [1, 1, 2, 5, 20, 200][random.below(6)]
      let what = Havoc.strike(&bytes, times: times, &random)
      try recording.salvage(bytes) { path, report in
        let found = try Told(path)
        let invented = found.invented(beside: recording.told, report)
        #expect(invented == [], "STATY_SEED=\(seed) makes it the first, with \(what)")
        #expect(Int64(found.events.count) == report.events)
        sum.kept += found.events.count
        sum.leftOut += Int(report.unverified)
        sum.files += 1
      }
      sum.events += recording.told.events.count
    }
    figure(
      """
      \(sum.files) damaged files of seed \(testSeed): \(sum.events) events, \(sum.kept) verified, \
      \(sum.leftOut) left out
      """)
    #expect(sum.kept > sum.events / 20)
  }
}

/// What happens to files.
enum Havoc {
  /// Flips bits, mostly; else pages are zeroed, or the end is cut off.
  ///
  /// - Returns: what it did.
  static func strike(_ bytes: inout [UInt8], times: Int, _ random: inout SeededRandom) -> String {
    var (flips, zeroed, isCut) = (0, 0, false)
    for _ in 0..<times {
      switch random.below(40) {
      case 0 where !isCut:
        bytes.removeLast(random.below(bytes.count / 2))
        isCut = true
      case 1, 2:
        let page = random.below(bytes.count / 4_096) * 4_096
        for place in page..<page + 4_096 { bytes[place] = 0 }
        zeroed += 1
      default:
        bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
        flips += 1
      }
    }
    return "\(flips) flips, \(zeroed) pages zeroed\(isCut ? ", the end cut off" : "")"
  }
}
