import Chance
import Staty
import StatyHistory
import Testing

@testable import StatyRules

@Suite("Garbage")
struct GarbageTests {
  private static func row(_ random: inout SeededRandom, wild: Bool) -> EventRow {
    var row = EventRow(seq: 0, time: 0, kind: .mark)
    let extremes: [Int64] = [0, 1, -1, .max, .min]
    func number(_ random: inout SeededRandom) -> Int64 {
      wild && random.chance(30) ? extremes[random.below(5)] : Int64(random.below(40))
    }
    row.seq = number(&random)
    row.time = number(&random)
    row.visit = UInt32(truncatingIfNeeded: number(&random))
    row.controller = Int32(truncatingIfNeeded: wild ? number(&random) : 7)
    row.state = Int32(truncatingIfNeeded: number(&random))
    row.kind = UInt8(random.below(wild ? 256 : 16))
    row.set(.handled, of: number(&random), cause: number(&random))
    row.reason = UInt8(random.below(wild ? 256 : 8))
    row.thread = UInt8(random.below(wild ? 256 : 3))
    return row
  }

  private static let snapshots = [
    "{}", "nonsense",
    #"{"standing":[{"visit":4294967295,"state":"a","phase":9},{"visit":0,"state":"b"},"#
      + #"{"visit":3,"state":"b","phase":1},{"visit":3,"state":"b","phase":3}],"waiting":"#
      + #"[{"visit":3,"state":"x"},{"visit":2,"state":"x"},{"visit":2,"state":"x"}],"#
      + #""isWithholding":true,"isTornDown":false,"lastVisit":1,"routes":[{"to":"a"}]}"#,
  ]

  @Test(arguments: Discipline.allCases, [false, true])
  func `random events never stop the process`(discipline: Discipline, wild: Bool) {
    var random = SeededRandom(seed: testSeed)
    for run in 0..<tries(usual: 75, nightly: 30) {
      var checker = SessionChecker(session: 1)
      let fidelity = UInt8(run % 5)
      checker.add(
        ControllerRecord.made(
          id: 7, discipline: discipline, fidelity: fidelity, snapshot: Self.snapshots[run % 3]))
      checker.learn(names: [1: "a", 2: "b", 3: "x"])
      for step in 0..<300 {
        var row = Self.row(&random, wild: wild)
        if !wild, random.chance(95) { row.seq = checker.lastSeq + 1 }
        var detail = EventDetail(seq: row.seq)
        detail.origin = UInt32(random.below(50))
        detail.priority = Int32(random.below(3))
        checker.take(row, detail)
        if step % 50 == 0 {
          checker.lose(
            LossRecord(firstSeq: .min, lastSeq: random.chance(3) ? .max : 5, count: 1, reason: ""))
        }
        for finding in checker.drain() + checker.findingsAtEnd(endTime: row.time, isCut: false) {
          #expect(!finding.detail { _ in nil }.isEmpty)
        }
      }
    }
  }
}
