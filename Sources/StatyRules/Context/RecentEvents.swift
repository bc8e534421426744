import StatyHistory

/// The latest events of a session by number, to look up causes.
///
/// An older cause is not found, and rules conclude nothing from it.
struct RecentEvents {
  /// The parts of an event that are kept.
  struct Event {
    var seq: Int64 = 0
    var controller: Int32 = 0
    var visit: UInt32 = 0
    var state: Int32 = 0
    var kind: UInt8 = 0
    var reason: UInt8 = 0
    var thread: UInt8 = 0
    /// Whether its visit may have exited before: it was not discarded, and it is known.
    var mayHaveExited = false

    init() {}

    init(_ row: EventRow, mayHaveExited: Bool = false) {
      (seq, controller, visit, state) = (row.seq, row.controller, row.visit, row.state)
      (kind, reason, thread) = (row.kind, row.reason, row.thread)
      self.mayHaveExited = mayHaveExited
    }
  }

  private static let size = 1_024
  private var events = [Event](repeating: Event(), count: size)

  /// The event with this number; its kind is 0 if it is not known.
  func event(_ seq: Int64) -> Event {
    let event = events[Int(truncatingIfNeeded: seq) & (Self.size - 1)]
    return event.seq == seq && seq != 0 ? event : Event()
  }

  mutating func add(_ row: EventRow, mayHaveExited: Bool = false) {
    events[Int(truncatingIfNeeded: row.seq) & (Self.size - 1)] = Event(
      row, mayHaveExited: mayHaveExited)
  }
}
