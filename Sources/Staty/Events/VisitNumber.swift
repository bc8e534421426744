/// The number of a visit.
///
/// The requests of each controller are numbered from 1.
public struct VisitNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number, from 1.
  public let rawValue: UInt32

  /// Creates a visit number.
  public init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// `#` and the number.
  public var description: String { "#\(rawValue)" }

  public static func < (one: VisitNumber, other: VisitNumber) -> Bool {
    one.rawValue < other.rawValue
  }
}
