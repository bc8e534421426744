import Synchronization
import Testing

@testable import Staty

/// The address of a state object that one controller uses is refused to others, on any thread.
@Suite struct ObjectClaimsTests {
  private let claims = ObjectClaims.shared

  @Test func `an address is claimed once until it is released`() throws {
    let address = UInt(1) << 40 | 2
    let place = claims.claim(address)
    #expect(place >= 0)
    #expect(claims.claim(address) < 0)
    claims.release(address, at: place)
    let again = claims.claim(address)
    #expect(again >= 0)
    claims.release(address, at: again)
  }

  @Test func `so are more addresses than there are words for`() {
    let addresses = (1...10_000 as ClosedRange<UInt>).map { $0 << 41 | 4 }
    let places = addresses.map(claims.claim)
    #expect(places.allSatisfy { $0 >= 0 })
    #expect(addresses.allSatisfy { claims.claim($0) < 0 })
    for (address, place) in zip(addresses, places) { claims.release(address, at: place) }
    let again = addresses.map(claims.claim)
    #expect(again.allSatisfy { $0 >= 0 })
    for (address, place) in zip(addresses, again) { claims.release(address, at: place) }
  }

  @Test(arguments: [0, 2])
  func `of several threads that claim an address, at most one has it`(neighbours: Int) async {
    // Two addresses that fill the words of the third: then its claims come into the list.
    let group = [3400, 3986].prefix(neighbours).map { UInt($0) << 20 | 8 }
    let places = group.map(claims.claim)
    // The two cases run beside each other, and one must not keep the address from the other.
    let address = UInt(neighbours == 0 ? 5 : 3) << 42 | 8
    let counts = Counts()
    await withTaskGroup(of: Void.self) { tasks in
      for _ in 0..<4 {
        tasks.addTask { counts.claimAndRelease(address, times: 20_000) }
      }
    }
    #expect(counts.most.load(ordering: .relaxed) == 1)
    for (address, place) in zip(group, places) { claims.release(address, at: place) }
  }

  private final class Counts: Sendable {
    private let holders = Atomic(0)
    /// The most holders at a time.
    let most = Atomic(0)

    func claimAndRelease(_ address: UInt, times: Int) {
      for _ in 0..<times {
        let place = ObjectClaims.shared.claim(address)
        if place < 0 { continue }
        most.max(holders.wrappingAdd(1, ordering: .relaxed).newValue, ordering: .relaxed)
        holders.wrappingSubtract(1, ordering: .relaxed)
        ObjectClaims.shared.release(address, at: place)
      }
    }
  }
}
