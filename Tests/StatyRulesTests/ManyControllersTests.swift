import Chance
import Staty
import StatyHistory
import Testing

@testable import StatyRules

/// Sessions of many controllers, added in any order.
@Suite struct ManyControllersTests {
  /// Controllers with one waiting visit each.
  private func checker(_ ids: [Int32]) -> SessionChecker {
    var checker = SessionChecker(session: 1)
    for id in ids { checker.add(.made(id: id)) }
    for (place, id) in ids.sorted().enumerated() {
      checker.take(
        EventRow(
          seq: Int64(place + 1), time: 1, kind: .enqueued, controller: id, visit: 1, state: 1))
    }
    return checker
  }

  @Test func `findings at the end are in the order of the controllers' numbers`() {
    var random = SeededRandom(seed: testSeed)
    let near = (1...300).map { Int32($0) }
    let far: [Int32] = [.min, -70_000, -1, 0, 66_000, 70_000, .max]
    for _ in 0..<20 {
      var ids = near + far
      ids.shuffle(using: &random)
      let checker = checker(ids)
      #expect(checker.endings(at: 60_000_000).map(\.controller) == ids.sorted(), "\(ids)")
      #expect(
        checker.findingsAtEnd(endTime: 60_000_000, isCut: false)
          == self.checker(ids.sorted()).findingsAtEnd(endTime: 60_000_000, isCut: false))
    }
  }

  @Test func `a controller that is added a second time keeps its first record`() {
    var checker = checker([3, 1, 2, 100_000])
    for id in [100_000, 1, 2, 3] as [Int32] {
      checker.add(.made(id: id, discipline: .byUrgency))
    }
    #expect(checker.endings(at: 1).map(\.controller) == [1, 2, 3, 100_000])
    #expect(checker.endings(at: 1).allSatisfy { $0.discipline == .inOrder })
  }

  @Test(arguments: [false, true])
  func `of 30,000 controllers, each is found`(isReversed: Bool) {
    // With every fourth number, many controllers are too far from the first for the checker's list.
    let ids = (0..<30_000).map { Int32($0 * 4 + 1) }
    let checker = checker(isReversed ? ids.reversed() : ids)
    #expect(checker.endings(at: 1).map(\.controller) == ids)
  }
}
