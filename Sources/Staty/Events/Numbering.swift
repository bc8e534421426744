import CStaty

/// A sequence of event numbers, drawn from any thread.
// Sendable: the counter is only used with atomic operations, and lives as long as this object.
package final class Numbering: @unchecked Sendable {
  private let counter: UnsafeMutablePointer<UInt64>
  private let owner: AnyObject?

  /// Creates a numbering that begins with 1.
  package init() {
    counter = .allocate(capacity: 1)
    counter.initialize(to: 0)
    owner = nil
  }

  /// Creates a numbering that keeps its last number in given memory, where it can be read after the
  /// process has ended.
  ///
  /// - Parameters:
  ///   - counter: the memory.
  ///   - owner: an object that keeps the memory valid.
  package init(counter: UnsafeMutablePointer<UInt64>, owner: AnyObject) {
    self.counter = counter
    self.owner = owner
  }

  deinit {
    if owner == nil { counter.deallocate() }
  }

  /// The last number drawn; 0 if there was none.
  package var last: UInt64 { staty_counter_read(counter) }

  /// Draws the next number.
  package func next() -> UInt64 { uncounted.next() }

  /// The innermost place of the calling thread in an event with this numbering.
  package var place: EventPlace { uncounted.place }

  /// The same without reference counting, for callers that keep the numbering alive.
  var uncounted: UncountedNumbering {
    // The address is compared, never dereferenced.
    UncountedNumbering(
      counter: counter, address: UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
  }
}

/// A numbering as a plain value; valid as long as the numbering exists.
struct UncountedNumbering {
  fileprivate let counter: UnsafeMutablePointer<UInt64>
  fileprivate let address: UnsafeRawPointer

  func next() -> UInt64 { staty_counter_next(counter) }

  /// Draws the next number.
  func draw() -> DrawnNumber { DrawnNumber(value: next(), numbering: address) }

  /// The innermost place of the calling thread in an event with this numbering.
  var place: EventPlace { EventPlace(packed: staty_place_innermost(address)) }

  /// The event of the innermost place of the calling thread.
  var current: DrawnNumber { DrawnNumber(value: place.event, numbering: address) }
}

/// The number of an event, and the numbering that it was drawn from.
///
/// A controller may get another numbering at any time, for example when an observer attaches a
/// recorder. The places of an event keep the numbering that it was made with.
struct DrawnNumber {
  /// The number; 0 if none was drawn.
  let value: UInt64
  // Compared, never dereferenced.
  fileprivate let numbering: UnsafeRawPointer?

  /// The number of an event that was made without observers.
  static var none: DrawnNumber { DrawnNumber(value: 0, numbering: nil) }

  /// Whether this was drawn from the same numbering as another.
  func isDrawn(with other: DrawnNumber) -> Bool { numbering == other.numbering }

  /// The calling thread enters a place of the event.
  ///
  /// Leave the place that was entered last first.
  ///
  /// The event must have a number.
  func enter(_ part: EventPlace.Part) -> EnteredPlace {
    EnteredPlace(outer: staty_place_enter(numbering, EventPlace(value, part).packed))
  }
}

/// A place that a thread has entered.
struct EnteredPlace {
  fileprivate let outer: staty_place

  /// The thread leaves the place and is in the outer one again.
  func leave() { staty_place_leave(outer) }
}
