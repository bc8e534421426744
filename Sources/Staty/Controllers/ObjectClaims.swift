import Synchronization

/// The addresses of the state objects that are in use, over all controllers.
///
/// An object can be used by only one controller at a time. A controller claims an object for its
/// first open visit, and releases it after the last one. While an object is claimed, its address is
/// not reused.
///
/// Without a lock: an address is in one of a few words that follow from it, or in a list if all of
/// these are taken. A claim is one atomic exchange and a second look: of two controllers that claim
/// an object at the same moment, at most one succeeds.
final class ObjectClaims: Sendable {
  static let shared = ObjectClaims()

  private static let groups: UInt = 2_048
  private static let wordsInGroup: UInt = 2
  /// The place of an address that is in the list.
  private static let listed = Int32.max

  // Sendable: the words are only used with atomic operations, and never freed, like this object.
  private nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt>>
  private let list = Mutex<Set<UInt>>([])
  private let listedCount = Atomic(0)

  private init() {
    let count = Int(Self.groups * Self.wordsInGroup)
    words = .allocate(capacity: count)
    for word in 0..<count { (words + word).initialize(to: Atomic(0)) }
  }

  /// Claims the address of an object.
  ///
  /// - Returns: the place of the claim; -1 if the address is claimed already.
  func claim(_ address: UInt) -> Int32 {
    let group = (address &* 0x9E37_79B9_7F4A_7C15) >> 32 % Self.groups * Self.wordsInGroup
    var free = UInt.max
    for word in group..<group + Self.wordsInGroup {
      let taken = words[Int(word)].load(ordering: .relaxed)
      if taken == address { return -1 }
      if taken == 0 { free = word }
    }
    if free == .max { return listClaim(address, group) }
    let isFree = words[Int(free)].compareExchange(
      expected: 0, desired: address, ordering: .sequentiallyConsistent
    ).exchanged
    // Another thread was faster.
    if !isFree { return claim(address) }
    if isInWord(address, of: group, except: free) || isListed(address) {
      words[Int(free)].store(0, ordering: .releasing)
      return -1
    }
    return Int32(free)
  }

  /// Releases the claim of an address, which is in this place.
  @inline(__always)
  func release(_ address: UInt, at place: Int32) {
    if place == Self.listed {
      unlist(address)
    } else {
      words[Int(place)].store(0, ordering: .releasing)
    }
  }

  private func isInWord(_ address: UInt, of group: UInt, except own: UInt = .max) -> Bool {
    (group..<group + Self.wordsInGroup).contains { word in
      word != own && words[Int(word)].load(ordering: .sequentiallyConsistent) == address
    }
  }

  @inline(__always)
  private func isListed(_ address: UInt) -> Bool {
    listedCount.load(ordering: .sequentiallyConsistent) > 0
      && list.withLock { $0.contains(address) }
  }

  private func listClaim(_ address: UInt, _ group: UInt) -> Int32 {
    // Counted first: a thread that sees no count puts its claim into a word, which is seen here.
    listedCount.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if list.withLock({ $0.insert(address).inserted }) {
      if !isInWord(address, of: group) { return Self.listed }
      unlist(address)
    } else {
      listedCount.wrappingSubtract(1, ordering: .relaxed)
    }
    return -1
  }

  @inline(never)
  private func unlist(_ address: UInt) {
    list.withLock { _ = $0.remove(address) }
    listedCount.wrappingSubtract(1, ordering: .relaxed)
  }
}
