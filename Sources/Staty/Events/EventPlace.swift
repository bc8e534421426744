/// A call in which events happen: an event, and which of its calls it is.
///
/// The places of a thread lie in each other. An event records the innermost one, so that a
/// recording is a tree.
public struct EventPlace: Hashable, Sendable {
  /// Which call of an event is under way.
  public enum Part: UInt8, Sendable, CaseIterable {
    /// A controller does what it does about an input.
    case handled
    /// Observers are being told of the event.
    case observed
    /// A state is being told to enter or to exit.
    case performed
    /// An app's own controller calls out.
    case called
  }

  /// The event's number above the two bits of the part: as a thread keeps it.
  package let packed: UInt64

  /// No call of any event.
  public static let root = EventPlace(packed: 0)

  /// The number of the event; 0 at the root.
  public var event: UInt64 { packed >> 2 }

  /// Which call of the event it is.
  public var part: Part { Part(rawValue: UInt8(packed & 3))! }

  /// This call of the event with this number.
  package init(_ event: UInt64, _ part: Part) {
    packed = event << 2 | UInt64(part.rawValue)
  }

  init(packed: UInt64) {
    self.packed = packed
  }
}
