/// A set of small numbers, fast enough for a look-up in each event.
struct NumberSet {
  private var words: [UInt64] = []

  @inline(__always)
  func contains(_ number: UInt32) -> Bool {
    let word = Int(number >> 6)
    return word < words.count && words[word] & (1 << UInt64(number & 63)) != 0
  }

  mutating func insert(_ number: UInt32) {
    let word = Int(number >> 6)
    while words.count <= word { words.append(0) }
    words[word] |= 1 << UInt64(number & 63)
  }
}
