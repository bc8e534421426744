import CStaty

/// A sequence of event numbers, drawn from any thread.
// Sendable: the counter is only touched by atomic operations, and lives as long as this object.
package final class Numbering: @unchecked Sendable {
  private let counter: UnsafeMutablePointer<UInt64>
  private let owner: AnyObject?

  /// A numbering that begins with 1.
  package init() {
    counter = .allocate(capacity: 1)
    counter.initialize(to: 0)
    owner = nil
  }

  /// A numbering whose last number stands in this memory, where others can read it after the
  /// process has ended.
  ///
  /// - Parameter owner: keeps the memory in place.
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

  /// The innermost place of the calling thread in an event of these.
  package var place: EventPlace { uncounted.place }

  /// The same without a reference to count, for who keeps the numbering while it is used.
  var uncounted: UncountedNumbering {
    // The address is compared, never followed.
    UncountedNumbering(
      counter: counter, address: UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
  }
}

/// A numbering as a plain value, valid as long as the numbering itself.
struct UncountedNumbering {
  fileprivate let counter: UnsafeMutablePointer<UInt64>
  fileprivate let address: UnsafeRawPointer

  func next() -> UInt64 { staty_counter_next(counter) }

  /// The next number, as one of these.
  func draw() -> DrawnNumber { DrawnNumber(value: next(), numbering: address) }

  /// The innermost place of the calling thread in an event of these.
  var place: EventPlace { EventPlace(packed: staty_place_innermost(address)) }

  /// The innermost event of these in a call of which the calling thread is.
  var current: DrawnNumber { DrawnNumber(value: place.event, numbering: address) }
}

/// The number of an event and the numbering that it was drawn from.
///
/// A controller may get another numbering at any time, as when an observer attaches a recorder.
/// The places of an event go on in the numbering that it was made in.
struct DrawnNumber {
  /// The number; 0 if none was drawn.
  let value: UInt64
  // Compared, never followed.
  fileprivate let numbering: UnsafeRawPointer?

  /// The number of an event that was made while nobody observed.
  static var none: DrawnNumber { DrawnNumber(value: 0, numbering: nil) }

  /// Whether this was drawn from the same numbering as another.
  func isDrawn(with other: DrawnNumber) -> Bool { numbering == other.numbering }

  /// The calling thread enters this call of the event; the place entered last is left first.
  ///
  /// There is none of an event that has no number.
  func enter(_ part: EventPlace.Part) -> EnteredPlace {
    EnteredPlace(outer: staty_place_enter(numbering, EventPlace(value, part).packed))
  }
}

/// A place that a thread is in.
struct EnteredPlace {
  fileprivate let outer: staty_place

  /// The thread leaves the place, and is again in the one around it.
  func leave() { staty_place_leave(outer) }
}
