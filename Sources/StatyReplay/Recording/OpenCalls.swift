import Staty
import StatyHistory

/// Knows of the latest events whether the call that something was made in had been left before.
///
/// The calls of one thread lie in each other. While what was done about an event had not returned,
/// whatever else was made on its thread was made in it, or in something that was made later still: no
/// cause was less than the event's own number. So if one was, the event had been left by then.
///
/// Two kinds of event do not say in which call they were made. A step that was put off names what
/// put it off. And of one without a cause it is not known that nothing was under way: a controller
/// that is not recorded hides what it was called in.
struct OpenCalls {
  private struct Known {
    var seq: Int64 = 0
    var cause: Int64 = 0
    /// The latest event of the thread before this one that was made further out.
    var further: Int64 = 0
    var controller: Int32 = 0
    var thread: UInt8 = 0
  }

  /// So far back events are remembered; a power of two.
  private static let most = 8_192
  /// From this number on, threads are not told apart.
  private static let threads = 63
  private var known = Array(repeating: Known(), count: most)
  /// The number of the latest event of each thread that says in which call it was made.
  private var latest = Array(repeating: Int64(0), count: threads)

  /// Takes in the next event of the recording.
  mutating func take(_ row: EventRow) {
    var event = Known(
      seq: row.seq, cause: row.cause, controller: row.controller, thread: row.thread)
    defer { known[Int(truncatingIfNeeded: row.seq) & (Self.most - 1)] = event }
    let thread = Int(row.thread)
    guard thread < Self.threads, row.cause != 0, saysItsCall(row) else { return }
    event.further = latest[thread]
    while let earlier = self[event.further], earlier.cause >= row.cause {
      event.further = earlier.further
    }
    latest[thread] = row.seq
  }

  /// Whether the event that a controller is said to have done this about was over by now, with all
  /// that the controller did about it.
  ///
  /// Asked before the event is taken in. It is never said of one too far back to know.
  func isOver(theOwnCauseOf row: EventRow) -> Bool {
    guard let cause = self[row.cause], cause.controller == row.controller,
      cause.thread == row.thread, Int(row.thread) < Self.threads
    else { return false }
    var next = latest[Int(row.thread)]
    while next > row.cause, let event = self[next] {
      if event.cause < row.cause { return true }
      next = event.further
    }
    return false
  }

  private func saysItsCall(_ row: EventRow) -> Bool {
    guard let kind = EventKind(rawValue: row.kind) else { return false }
    return kind != .resumed && kind.side != .note
  }

  private subscript(seq: Int64) -> Known? {
    let event = known[Int(truncatingIfNeeded: seq) & (Self.most - 1)]
    return seq != 0 && event.seq == seq ? event : nil
  }
}
