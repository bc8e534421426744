import CStatyRing
import Chance
import Foundation
import StatyHistory
import StatyRecorder
import Testing

@Suite("A flight ring whose process is killed", .serialized)
struct KillTests {
  /// The number of kills; `STATY_KILLS` in the environment changes it.
  static let rounds = ProcessInfo.processInfo.environment["STATY_KILLS"].flatMap(Int.init) ?? 40

  private let capacity = 1 << 22

  @Test("Every record whose put returned was committed or is recovered, once and unchanged")
  func kill() throws {
    let seed = UInt64.random(in: 1 ... .max)
    var random = seed
    var acknowledged = 0
    for round in 0..<Self.rounds {
      let directory = try RingDirectory()
      let probe = try Probe(["put", directory.file(), directory.file("ledger")])
      try #require(probe.line() == "ready")
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      usleep(UInt32(random >> 33) % 20_000)
      probe.kill()
      acknowledged += try check(directory, "round \(round), seed \(seed)")
    }
    #expect(acknowledged > Self.rounds)
    figure("\(Self.rounds) kills of a ring's process, \(acknowledged) puts acknowledged")
  }

  /// - Returns: the number of puts that had returned.
  private func check(_ directory: RingDirectory, _ comment: Comment) throws -> Int {
    let ledger = [UInt8](try directory.bytes("ledger"))
    let recovered = try FlightRing.recover(path: directory.file())
    let records = try recovered.records()
    #expect(recovered.ended == .killed, comment)
    // A kill comes between two stores, not within one, so no published record is damaged.
    #expect(recovered.torn == 0, comment)
    let numbers = Set(records.map(\.number))
    #expect(numbers.count == records.count, comment)
    #expect(records.allSatisfy { $0.time == $0.number * 3 }, comment)
    var lost = 0
    var highest = 0
    var acknowledged = 0
    ledger.withUnsafeBytes { ledger in
      // The table is large, and few of its places are used.
      let (first, end) = (ledger.baseAddress!, ledger.baseAddress! + capacity)
      var rest = first + 1
      while let found = memchr(rest, 1, end - rest).map({ UnsafeRawPointer($0) }) {
        let number = found - first
        highest = number
        acknowledged += 1
        if ledger[capacity + number] == 0 && !numbers.contains(UInt64(number)) { lost += 1 }
        rest = found + 1
      }
    }
    #expect(lost == 0, comment)
    #expect(recovered.highestDrawn >= UInt64(highest), comment)
    let noted = Set(recovered.entries.map(\.id))
    #expect(
      records.allSatisfy {
        $0.flags == 0 || noted.contains($0.number) || ledger[2 * capacity + Int($0.number)] == 1
      }, comment)
    return acknowledged
  }
}
