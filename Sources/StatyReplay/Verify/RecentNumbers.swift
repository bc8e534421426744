import Staty
import StatyHistory

/// The latest events that were gone past, by their numbers, in a fixed amount of memory.
struct RecentEvents {
  /// What is remembered of one.
  struct Event {
    fileprivate var seq: Int64 = -1
    var cause: Int64 = 0
    var controller: Int32 = 0
    fileprivate var thread: UInt8 = 0
  }

  private var events: [Event]
  private let mask: Int
  /// The last number that was gone past.
  private(set) var highest: Int64 = 0
  /// The number of the latest event of each thread that came from outside of everything.
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

  /// Whether the handling of this event was over by now.
  ///
  /// It was if something happened on its thread since that happened in nothing; false of those too far
  /// back to know.
  func isOver(_ seq: Int64) -> Bool {
    guard let thread = thread(of: seq) else { return false }
    return outermost[Int(thread)] > seq
  }

  /// The thread of this event, if it is one of its own; the last number is of many threads.
  func thread(of seq: Int64) -> UInt8? {
    guard let event = self[seq], event.thread < 63 else { return nil }
    return event.thread
  }

  /// The event with this number; `nil` if it was not gone past, or is too far back to know.
  subscript(seq: Int64) -> Event? {
    let event = events[Int(truncatingIfNeeded: seq) & mask]
    return event.seq == seq ? event : nil
  }

  /// Whether this number can be one that was gone past: true of those too far back to know.
  func mayContain(_ seq: Int64) -> Bool {
    seq <= highest - Int64(events.count) || self[seq] != nil
  }
}

extension EventRow {
  /// Whether it came from outside of everything that is recorded.
  ///
  /// Not all without a cause did: a step that was put off names what put it off, and may run in
  /// anything; what was decided before anybody observed names nothing, wherever it is done.
  var isOutermost: Bool {
    guard cause == 0, let kind = EventKind(rawValue: kind) else { return false }
    return kind.side == .input && kind != .resumed
  }
}

/// Which of the latest numbers were seen, in a fixed amount of memory.
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

  /// Whether this number was seen; false of those too far back to know.
  func contains(_ number: Int64) -> Bool {
    seen[Int(truncatingIfNeeded: number) & mask] == number
  }
}
