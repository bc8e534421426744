import Staty
import StatyHistory

/// What rules need to know about an event besides its visit: its cause, and what other threads did
/// meanwhile.
struct EventContext {
  /// The event that caused this one; its kind is 0 if it is not known.
  var cause = RecentEvents.Event()
  /// The input without a cause that another thread made in between; its number is 0 if there is
  /// none.
  var intruder = RecentEvents.Event()
  /// The number of the last input of any controller; 0 if there was none.
  var lastInput: Int64
  /// How long a state may take to enter.
  var slowEnter: Int64
  /// How long a state may take to exit.
  var slowExit: Int64
  /// How long after an element another one of its name may be a second tap.
  var doublePush: Int64
}

/// What rules need to know about the end of a session.
struct EndContext {
  /// The last input without a cause of the visit's controller; 0 if there is none.
  var lastTopInput: Int64
  /// How long a check waits for something before it counts as never happening.
  var patience: Int64
}

/// The latest inputs of a controller by thread, to detect inputs from several threads.
struct HandlingWatch {
  /// The last input without a cause, and the last one of another thread.
  private var last = RecentEvents.Event()
  private var lastOfOther = RecentEvents.Event()
  private(set) var lastTopInput: Int64 = 0

  /// Handles an event, and returns the input without a cause that another thread made since the
  /// event's cause.
  mutating func take(
    _ row: EventRow, _ kind: EventKind, cause: RecentEvents.Event
  ) -> RecentEvents.Event {
    // An answer has a cause, but is an input from outside too.
    if row.cause == 0 || kind == .received && row.inside == 0 {
      guard kind.isInputOfApp else { return .init() }
      // A step that was put off before the recording, or by a timer, has no cause, and no user made it.
      if kind != .resumed { lastTopInput = row.seq }
      if last.thread != row.thread { lastOfOther = last }
      last = RecentEvents.Event(row)
      return .init()
    }
    // A deferred step may run at any time on any thread.
    guard kind != .resumed, cause.kind != 0, cause.controller == row.controller,
      cause.thread == row.thread, EventKind(rawValue: cause.kind)?.side == .input
    else { return .init() }
    let candidate = last.thread != row.thread ? last : lastOfOther
    return candidate.seq > cause.seq && candidate.thread != row.thread ? candidate : .init()
  }
}

extension VisitChange {
  /// Whether its visit has exited before, or an earlier one of the same object may have.
  var mayHaveExited: Bool {
    switch subject {
    case .open: true
    case .gone: past?.contains(.exited) ?? false
    case .uncertain: false
    }
  }

  /// A finding at this event.
  func finding(_ code: RuleCode, _ facts: Finding.Facts = .init()) -> Finding {
    Finding(
      code, seq: row.seq, controller: row.controller, visit: row.visit, state: row.state, facts)
  }
}

extension VisitEnding {
  /// A finding at an event of this visit.
  func finding(
    _ code: RuleCode, _ guilty: OpenVisit.Point, _ facts: Finding.Facts = .init()
  ) -> Finding {
    Finding(
      code, seq: guilty.seq, controller: controller, visit: visit.visit, state: visit.state, facts)
  }
}
