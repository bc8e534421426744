import Synchronization

/// The hashes of the visited states, shared by several threads.
///
/// Each place takes eight bytes, and at most two thirds of the places are taken. Two states with
/// the same hash count as one: among n states the chance of that is n² in 2⁶⁵, one in a hundred
/// thousand at twenty million.
final class VisitedStates: @unchecked Sendable {
  // Sendable: places are touched by atomic operations alone while threads share them; `reserve`,
  // which replaces them, is called by one thread while no other is at work.
  private var places: UnsafeMutablePointer<Atomic<UInt64>>
  private var mask: Int
  private(set) var count = 0

  init() {
    mask = (1 << 12) - 1
    places = Self.make(mask + 1)
  }

  deinit { places.deallocate() }

  private static func make(_ count: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    let places = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: count)
    // An atomic word of zeros is a word of zeros.
    UnsafeMutableRawPointer(places).initializeMemory(as: UInt64.self, repeating: 0, count: count)
    return places
  }

  /// How many bytes it holds.
  var bytes: Int { (mask + 1) * 8 }

  /// How many bytes it holds while it makes room for so many more.
  ///
  /// - Parameter inserted: how many were added since it last made room.
  func bytes(reserving more: Int, inserted: Int) -> Int {
    let size = size(for: count + inserted + more)
    return size > mask + 1 ? bytes + size * 8 : bytes
  }

  private func size(for count: Int) -> Int {
    var size = mask + 1
    while count * 3 > size * 2 { size *= 2 }
    return size
  }

  /// Makes room for so many more.
  ///
  /// No other thread may use it during the call.
  ///
  /// - Parameter inserted: how many were added since the last call.
  func reserve(_ more: Int, inserted: Int) {
    count += inserted
    let size = size(for: count + more)
    guard size > mask + 1 else { return }
    let old = (places: places, count: mask + 1)
    places = Self.make(size)
    mask = size - 1
    for place in 0..<old.count {
      let number = old.places[place].load(ordering: .relaxed)
      if number != 0 { _ = insert(number) }
    }
    old.places.deallocate()
  }

  /// Adds a number other than 0.
  ///
  /// - Returns: whether it is new. If several threads add the same number at once, one of them gets
  ///   `true`.
  @inline(__always)
  func insert(_ number: UInt64) -> Bool {
    var place = Int(truncatingIfNeeded: number) & mask
    while true {
      var known = places[place].load(ordering: .relaxed)
      if known == 0 {
        let (isDone, found) = places[place].compareExchange(
          expected: 0, desired: number, ordering: .relaxed)
        if isDone { return true }
        known = found
      }
      if known == number { return false }
      place = (place + 1) & mask
    }
  }
}
