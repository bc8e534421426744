import Staty
import StatyHistory

/// The latest events by number, in a fixed amount of memory.
struct RecentEvents {
  /// What is remembered of an event.
  struct Event {
    fileprivate var seq: Int64 = -1
    var cause: Int64 = 0
    var controller: Int32 = 0
    fileprivate var thread: UInt8 = 0
  }

  private var events: [Event]
  private let mask: Int
  /// The number of the last event.
  private(set) var highest: Int64 = 0
  /// The number of the latest event of each thread at the root.
  private var outermost = Array(repeating: Int64(0), count: 64)

  /// - Parameter count: how many numbers back it remembers; a power of two.
  init(count: Int = 8_192) {
    precondition(count > 0 && count & (count - 1) == 0, "Give a power of two.")
    events = Array(repeating: Event(), count: count)
    mask = count - 1
  }

  mutating func insert(_ row: EventRow) {
    events[Int(truncatingIfNeeded: row.seq) & mask] = Event(
      seq: row.seq, cause: row.cause, controller: row.controller, thread: row.thread)
    highest = max(highest, row.seq)
    if row.isOutermost { outermost[Int(row.thread) & 63] = row.seq }
  }

  /// Whether the handling of this event had ended by now.
  ///
  /// It had if its thread has made an event at the root since; `false` for events that are
  /// forgotten.
  func isOver(_ seq: Int64) -> Bool {
    guard let thread = thread(of: seq) else { return false }
    return outermost[Int(thread)] > seq
  }

  /// The thread of this event; `nil` for the last number, which several threads share.
  func thread(of seq: Int64) -> UInt8? {
    guard let event = self[seq], event.thread < 63 else { return nil }
    return event.thread
  }

  /// The event with this number; `nil` if it is unknown or forgotten.
  subscript(seq: Int64) -> Event? {
    let event = events[Int(truncatingIfNeeded: seq) & mask]
    return event.seq == seq ? event : nil
  }

  /// Whether this number may be that of an earlier event; `true` for numbers that are too old to
  /// know.
  func mayContain(_ seq: Int64) -> Bool {
    seq <= highest - Int64(events.count) || self[seq] != nil
  }
}

extension EventRow {
  /// Whether the event came from outside of everything that is recorded.
  ///
  /// Not every event without a cause did. A deferred step names what deferred it, and may run
  /// inside of anything. A decision made before any observer existed has no cause, wherever it was
  /// made.
  var isOutermost: Bool {
    guard cause == 0, let kind = EventKind(rawValue: kind) else { return false }
    return kind.side == .input && kind != .resumed
  }
}

/// The latest of some numbers, in a fixed amount of memory.
struct RecentNumbers {
  private var seen: [Int64]
  private let mask: Int

  /// - Parameter count: how many numbers back it remembers; a power of two.
  init(count: Int = 8_192) {
    precondition(count > 0 && count & (count - 1) == 0, "Give a power of two.")
    seen = Array(repeating: -1, count: count)
    mask = count - 1
  }

  mutating func insert(_ number: Int64) {
    seen[Int(truncatingIfNeeded: number) & mask] = number
  }

  /// Whether this number was inserted; `false` for numbers that are too old to know.
  func contains(_ number: Int64) -> Bool {
    seen[Int(truncatingIfNeeded: number) & mask] == number
  }
}
