/// The numbers that stand for coalescing keys; policies compare these.
///
/// Objects have the even numbers, keys the odd.
struct CoalescingKeys {
  private var numbers: [AnyHashable: UInt32] = [:]
  private var last: UInt32 = 0
  private static let most = 1_024

  /// The number of an object whose first visit this is.
  static func number(ofFirst visit: VisitNumber) -> UInt32 { visit.rawValue << 1 }

  mutating func number(of key: AnyHashable) -> UInt32 {
    if let known = numbers[key] { return known }
    // A key that was forgotten is only not recognised once; its number is never given again.
    if numbers.count == Self.most { numbers.removeAll(keepingCapacity: true) }
    last &+= 1
    let number = last << 1 | 1
    numbers[key] = number
    return number
  }
}
