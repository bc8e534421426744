/// The call in which an event happened: the number of another event, and a part of it.
///
/// The places of a thread are nested. An event records the innermost one, so a recording is a tree.
public struct EventPlace: Hashable, Sendable {
  /// The part of an event that a call belongs to.
  public enum Part: UInt8, Sendable, CaseIterable {
    /// The controller handles an input.
    case handled
    /// Observers are being told of the event.
    case observed
    /// A state is told to enter or to exit.
    case performed
    /// An app's own controller calls other code, such as its delegate.
    case called
  }

  /// The event's number, shifted by the two bits of the part.
  ///
  /// A thread stores it in this form.
  package let packed: UInt64

  /// Outside of any call.
  public static let root = EventPlace(packed: 0)

  /// The number of the event; 0 at the root.
  public var event: UInt64 { packed >> 2 }

  /// The part of the event.
  public var part: Part { Part(rawValue: UInt8(packed & 3))! }

  /// Creates a place from an event's number and a part.
  package init(_ event: UInt64, _ part: Part) {
    packed = event << 2 | UInt64(part.rawValue)
  }

  init(packed: UInt64) {
    self.packed = packed
  }
}
