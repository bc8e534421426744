/// A few members of a small enumeration, in one word.
struct SmallSet<Element: RawRepresentable<UInt8>>: Hashable {
  private var bits: UInt32 = 0

  var isEmpty: Bool { bits == 0 }

  func contains(_ element: Element) -> Bool { bits & Self.bit(element) != 0 }
  mutating func insert(_ element: Element) { bits |= Self.bit(element) }
  mutating func remove(_ element: Element) { bits &= ~Self.bit(element) }
  mutating func removeAll() { bits = 0 }

  private static func bit(_ element: Element) -> UInt32 { 1 << UInt32(element.rawValue & 31) }
}
