/// Numbers that represent coalescing keys, so that policies can compare them.
///
/// Objects have even numbers, keys have odd ones.
struct CoalescingKeys {
  /// By the hashes of the keys: a key may be large, or an object that would live longer.
  private var numbers: [Int: UInt32] = [:]
  private var last: UInt32 = 0
  private static let most = 1_024

  /// The number of an object, from its first visit.
  static func number(ofFirst visit: VisitNumber) -> UInt32 { visit.rawValue << 1 }

  mutating func number(of key: AnyHashable) -> UInt32 {
    let hash = key.hashValue
    if let known = numbers[hash] { return known }
    // A forgotten key is not recognised the next time it is used. Its number is not reused.
    if numbers.count == Self.most { numbers.removeAll(keepingCapacity: true) }
    last &+= 1
    let number = last << 1 | 1
    numbers[hash] = number
    return number
  }
}
