import Staty
import StatyHistory

/// What rules have to know of an event beside its visit: in what it happened, and what other threads
/// did meanwhile.
struct EventContext {
  /// The event because of which this one happened; its kind is 0 if it is not known.
  var cause = RecentEvents.Event()
  /// The input without cause that another thread made in between; its number is 0 if none did.
  var intruder = RecentEvents.Event()
  /// How long a state may take to enter.
  var slowEnter: Int64
  /// How long a state may take to exit.
  var slowExit: Int64
}

/// What rules have to know at the end of what is known so far.
struct EndContext {
  /// The last input without cause of the visit's controller; 0 if there is none.
  var lastTopInput: Int64
  /// How long something may be outstanding before it counts as never happening.
  var patience: Int64
}

/// What the inputs of one controller say about its threads.
struct HandlingWatch {
  /// The last inputs without cause: the very last, and the last of another thread than that one's.
  private var last = RecentEvents.Event()
  private var lastOfOther = RecentEvents.Event()
  private(set) var lastTopInput: Int64 = 0

  /// Takes in an event; the input without cause that another thread made since its cause, if one did.
  mutating func take(
    _ row: EventRow, _ kind: EventKind, cause: RecentEvents.Event
  ) -> RecentEvents.Event {
    // An answer has a cause, and comes from outside all the same.
    if row.cause == 0 || kind == .received && row.inside == 0 {
      guard kind.side == .input, kind != .attached, kind != .detached else { return .init() }
      lastTopInput = row.seq
      if last.thread != row.thread { lastOfOther = last }
      last = RecentEvents.Event(row)
      return .init()
    }
    // A step that was put off runs whenever and wherever it runs.
    guard kind != .resumed, cause.kind != 0, cause.controller == row.controller,
      cause.thread == row.thread, EventKind(rawValue: cause.kind)?.side == .input
    else { return .init() }
    let candidate = last.thread != row.thread ? last : lastOfOther
    return candidate.seq > cause.seq && candidate.thread != row.thread ? candidate : .init()
  }
}

extension VisitChange {
  /// A finding whose guilty event is this one.
  func finding(_ code: RuleCode, _ facts: Finding.Facts = .init()) -> Finding {
    Finding(
      code, seq: row.seq, controller: row.controller, visit: row.visit, state: row.state, facts)
  }
}

extension VisitEnding {
  /// A finding whose guilty event is this one of the visit.
  func finding(
    _ code: RuleCode, _ guilty: OpenVisit.Point, _ facts: Finding.Facts = .init()
  ) -> Finding {
    Finding(
      code, seq: guilty.seq, controller: controller, visit: visit.visit, state: visit.state, facts)
  }
}
