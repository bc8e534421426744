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

  /// The number of the innermost event of these that the calling thread is handling now; 0 if it is
  /// handling none.
  package var handled: UInt64 { uncounted.handled }

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

  var handled: UInt64 { handling.number }

  /// The innermost event of these that the calling thread is at.
  var handling: EventCause { EventCause(staty_handling_number(address)) }

  /// From now on this thread tells observers of an event; gives what it handled before.
  func beginTelling(_ number: UInt64) -> staty_handling {
    staty_handling_begin(address, number | EventCause.heard)
  }

  /// From now on this thread handles an event; gives what it handled before.
  func beginHandling(_ number: UInt64) -> staty_handling {
    staty_handling_begin(address, number)
  }

  /// This thread handles again what it handled before; the last begun ends first.
  func endHandling(_ outer: staty_handling) {
    staty_handling_end(outer)
  }
}

/// What an event happens in.
package struct EventCause {
  /// The number of the event; 0 if there is none.
  package let number: UInt64
  /// Whether its observers were just told of it, so that it is their doing.
  let isHeard: Bool

  fileprivate static let heard: UInt64 = 1 << 63

  /// In the handling or performing of this event.
  init(handling number: UInt64) {
    (self.number, isHeard) = (number, false)
  }

  fileprivate init(_ handling: UInt64) {
    (number, isHeard) = (handling & ~Self.heard, handling & Self.heard != 0)
  }
}
