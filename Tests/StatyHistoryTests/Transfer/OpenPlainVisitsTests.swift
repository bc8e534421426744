import Chance
import Testing

@testable import StatyHistory

/// Which of the open visits is found by a state and by what was heard.
@Suite struct OpenPlainVisitsTests {
  typealias Heard = OpenPlainVisits.Heard

  /// What is searched from the first to the last.
  private struct Searched {
    var open: [(visit: UInt32, state: Int32, heard: Heard)] = []

    func first(of state: Int32, with wanted: Heard, without unwanted: Heard) -> UInt32? {
      open.first {
        $0.state == state && $0.heard.isSuperset(of: wanted) && $0.heard.isDisjoint(with: unwanted)
      }?.visit
    }
  }

  @Test(arguments: 0..<20) func `it is the one that a search finds`(_ run: UInt64) {
    let seed = testSeed
    var random = SeededRandom(seed: seed &+ run)
    var searched = Searched()
    var visits = OpenPlainVisits()
    let most = 1 + random.below(200)
    func heard() -> Heard { Heard(rawValue: UInt8(random.below(8))) }
    for _ in 0..<3_000 {
      let place = searched.open.isEmpty ? 0 : random.below(searched.open.count)
      switch random.below(4) {
      case 0 where searched.open.count < most:
        // Numbers come again, in whatever order.
        let visit = UInt32(1 + random.below(1_000))
        guard !searched.open.contains(where: { $0.visit == visit }) else { continue }
        let (state, told) = (Int32(1 + random.below(3)), heard())
        searched.open.append((visit, state, told))
        visits.begin(visit, in: state, hearing: told)
      case 1 where !searched.open.isEmpty:
        let told = heard()
        searched.open[place].heard.formUnion(told)
        visits.hear(told, of: searched.open[place].visit)
      case 2 where !searched.open.isEmpty:
        visits.close(searched.open.remove(at: place).visit)
      default:
        let (state, wanted, unwanted) = (Int32(1 + random.below(3)), heard(), heard())
        #expect(
          visits.first(of: state, with: wanted, without: unwanted)
            == searched.first(of: state, with: wanted, without: unwanted), "seed \(seed)")
      }
      #expect(visits.count == searched.open.count)
    }
    for one in searched.open { #expect(visits.state(of: one.visit) == one.state) }
    #expect(visits.state(of: 5_000) == nil)
  }

  @Test func `what is not open any more takes no room`() {
    var visits = OpenPlainVisits()
    visits.begin(1, in: 1, hearing: [])
    // Nobody asks for the first, so none of these has its turn.
    for visit in UInt32(2)...100_000 {
      visits.begin(visit, in: 1 + Int32(visit % 2), hearing: [])
      visits.hear(.entered, of: visit)
      visits.close(visit)
    }
    #expect(visits.count == 1)
    #expect(visits.places < 100)
    #expect(visits.first(of: 1) == 1)
    visits.close(1)
    #expect(visits.places == 0)
  }
}
