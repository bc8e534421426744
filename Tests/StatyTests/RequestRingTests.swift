import Chance
import Testing

@testable import Staty

/// The ring of pending requests, compared with an array.
@Suite struct RequestRingTests {
  @Test func `any pending request can be removed, however visits are numbered`() {
    let seed = testSeed
    for run in 0..<200 {
      var random = SeededRandom(seed: seed &+ UInt64(run))
      var ring = RequestRing()
      var expected: [UInt32] = []
      let numbers = Array(1...UInt32(40))
      var coming = run % 2 == 0 ? numbers : numbers.shuffled(using: &random)
      while !coming.isEmpty || !expected.isEmpty {
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
          guard !coming.isEmpty else { continue }
          let number = coming.removeFirst()
          ring.append(Request(visit: VisitNumber(number), state: "a"))
          expected.append(number)
        case 2:
          let first = expected.isEmpty ? nil : expected.removeFirst()
          #expect(ring.popFirst()?.visit.rawValue == first, "seed \(seed &+ UInt64(run))")
        default:
          let number = UInt32.random(in: 1...41, using: &random)
          let place = expected.firstIndex(of: number)
          if let place { expected.remove(at: place) }
          #expect(
            ring.remove(VisitNumber(number))?.visit.rawValue == (place == nil ? nil : number),
            "seed \(seed &+ UInt64(run))")
        }
        #expect(ring.map(\.visit.rawValue) == expected, "seed \(seed &+ UInt64(run))")
      }
    }
  }
}
