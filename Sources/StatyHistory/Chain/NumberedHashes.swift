/// The hashes of things that have numbers in the file: names, places, controllers.
///
/// Number 0 is "none" and has the hash 0; so has a number that stands for nothing.
struct NumberedHashes {
  private var dense: [UInt64] = [0]
  // For the numbers of a file that is damaged or was made to need much memory.
  private var sparse: [Int32: UInt64] = [:]
  private static let denseLimit = 1 << 22

  @inline(__always)
  subscript(number: Int32) -> UInt64 {
    let index = Int(UInt32(bitPattern: number))
    return index < dense.count ? dense[index] : beyond(number)
  }

  @inline(never)
  private func beyond(_ number: Int32) -> UInt64 {
    sparse[number] ?? 0
  }

  mutating func set(_ number: Int32, to hash: UInt64) {
    let index = Int(UInt32(bitPattern: number))
    if index == dense.count, index < Self.denseLimit {
      dense.append(hash)
    } else if index > 0, index < dense.count {
      dense[index] = hash
    } else if index > 0 {
      sparse[number] = hash
    }
  }
}
