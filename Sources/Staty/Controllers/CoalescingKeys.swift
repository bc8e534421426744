/// Numbers that represent coalescing keys, so that policies can compare them.
///
/// Objects have even numbers, keys have odd ones.
struct CoalescingKeys {
  /// The last number of each key, by its hash: a key may be large, or an object that would live longer.
  private var numbers: [Int: UInt32] = [:]
  /// The keys of open visits by their numbers: equal hashes make no equal keys.
  private var open: [UInt32: (key: AnyHashable, visits: Int)] = [:]
  private var last: UInt32 = 0
  private static let most = 1_024

  /// The number of an object, from its first visit.
  static func number(ofFirst visit: VisitNumber) -> UInt32 { visit.rawValue << 1 }

  /// The number of the key of a visit that begins.
  mutating func number(of key: AnyHashable) -> UInt32 {
    let hash = key.hashValue
    if let known = numbers[hash] {
      let one = open[known] ?? (key, 0)
      if one.key == key {
        open[known] = (one.key, one.visits + 1)
        return known
      }
    }
    // A forgotten key is not recognised the next time it is used. Its number is not reused.
    if numbers.count == Self.most { numbers.removeAll(keepingCapacity: true) }
    last &+= 1
    let number = last << 1 | 1
    numbers[hash] = number
    open[number] = (key, 1)
    return number
  }

  /// Notes that a visit with this number has ended.
  ///
  /// - Returns: the key if no other visit has it. To release it may run code of the app.
  mutating func end(_ number: UInt32) -> AnyHashable? {
    guard let one = open[number] else { return nil }
    open[number] = one.visits > 1 ? (one.key, one.visits - 1) : nil
    return one.visits > 1 ? nil : one.key
  }
}
