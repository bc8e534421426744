/// Which visit of a controller: its requests are numbered from 1 in the order they were made.
public struct VisitNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number, from 1.
  public let rawValue: UInt32

  /// The visit with this number.
  public init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// `#` and the number.
  public var description: String { "#\(rawValue)" }

  public static func < (one: VisitNumber, other: VisitNumber) -> Bool {
    one.rawValue < other.rawValue
  }
}
