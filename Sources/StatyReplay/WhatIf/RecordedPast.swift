import Staty
import StatyHistory

/// Recorded moments that later events depend on.
struct RecordedPast {
  /// The moment that an input depends on, and how long after it the input follows.
  struct Anchor {
    let moment: Moment
    let delay: Int64
    let isInside: Bool
  }

  private struct Event {
    let moment: Moment
    let cause: Int64
    let time: Int64
    /// Whether its controller is played, so that inputs can depend on it.
    let isPlayed: Bool
  }

  /// The number and time of an event of a visit.
  fileprivate struct Mark {
    let seq: Int64
    let time: Int64
    let cause: Int64
  }

  /// The events of a visit so far.
  fileprivate struct Course {
    var marks: [EventKind: Mark] = [:]
    var saidEntered = false
    var saidExited = false
    /// Whether it had entered when it was told to exit.
    var leftInTime = false
  }

  private var events: [Int64: Event] = [:]
  private var courses: [VisitKey: Course] = [:]
  private var stage = StageVisits()

  /// Notes an event of any controller.
  ///
  /// - Returns: the event with the time at which the handling around it began. In a replay handling
  ///   takes no time, and a delay measured from inside of it would be too short.
  mutating func note(
    _ event: RecordedEvent, _ kind: EventKind, isPlayed: Bool
  ) -> RecordedEvent {
    var row = event.row
    // What a message answers is not around it.
    let cause = kind == .received ? row.inside : row.cause
    if kind != .resumed, cause < row.seq, let outer = events[cause] {
      row.time = outer.time
    }
    events[row.seq] = Event(
      moment: Moment(controller: row.controller, visit: row.visit, kind: kind), cause: cause,
      time: row.time, isPlayed: isPlayed)
    return RecordedEvent(row: row, detail: event.detail)
  }

  /// Whether an event is about a visit that is known.
  func knows(_ row: EventRow) -> Bool {
    courses[VisitKey(controller: row.controller, visit: row.visit)] != nil
  }

  /// Notes an event of a played controller's visit.
  mutating func follow(_ row: EventRow, _ kind: EventKind) {
    guard row.visit != 0 else { return }
    let key = VisitKey(controller: row.controller, visit: row.visit)
    var course = courses[key] ?? Course()
    if kind == .exiting, course.marks[.exiting] == nil {
      course.leftInTime = course.marks[.entered] != nil
    }
    if course.marks[kind] == nil {
      course.marks[kind] = Mark(seq: row.seq, time: row.time, cause: row.cause)
    }
    courses[key] = course
    stage.follow(kind, row.visit, of: row.controller)
  }

  /// Whether a visit that is told this is told in its turn: to enter while no other visit is on the
  /// stage, or to exit after it has entered and before it has exited.
  func isInTurn(_ kind: EventKind, _ row: EventRow) -> Bool {
    if kind == .exiting {
      let course = courses[VisitKey(controller: row.controller, visit: row.visit)]
      return course?.leftInTime == true && course?.marks[.exited] == nil
    }
    return stage.isFree(for: row.visit, of: row.controller)
  }

  /// Begins a controller with open visits.
  ///
  /// - Returns: the moments at which their states were told something.
  mutating func begin(
    _ controller: Int32, with snapshot: SnapshotRecord, at time: Int64, seq: Int64
  ) -> [Moment] {
    var told: [Moment] = []
    for one in snapshot.waiting + snapshot.standing {
      let key = VisitKey(controller: controller, visit: one.visit)
      var course = Course()
      for kind in Self.past(one.phase.flatMap(Phase.init) ?? .empty) {
        course.marks[kind] = Mark(seq: seq, time: time, cause: 0)
        told.append(Moment(controller: controller, visit: one.visit, kind: kind))
      }
      course.saidEntered = course.marks[.entered] != nil
      course.leftInTime = course.saidEntered
      courses[key] = course
      if course.marks[.entering] != nil { stage.follow(.entering, one.visit, of: controller) }
    }
    return told
  }

  /// The events of a visit in this phase that inputs can depend on.
  static func past(_ phase: Phase) -> [EventKind] {
    switch phase {
    case .empty: [.enqueued]
    case .entering: [.enqueued, .entering]
    case .entered: [.enqueued, .entering, .entered]
    case .exiting: [.enqueued, .entering, .entered, .exiting]
    case .left: []
    }
  }
}

// MARK: Causes

extension RecordedPast {
  /// The nearest moment of a played controller that an event happened in; `nil` if there is none.
  func anchor(of row: EventRow) -> Anchor? {
    var isInside = true
    var last = row.seq
    var cause = row.cause
    while cause != 0, cause < last, let event = events[cause] {
      if event.moment.kind == .resumed { isInside = false }
      if event.moment.visit != 0, Moment.isOne(event.moment.kind), event.isPlayed {
        return Anchor(
          moment: event.moment, delay: isInside ? 0 : Self.delay(from: event.time, to: row.time),
          isInside: isInside)
      }
      (last, cause) = (cause, event.cause)
    }
    return nil
  }

  /// Whether an event happened in a call that its own controller makes.
  func isInCall(_ row: EventRow) -> Bool {
    var last = row.seq
    var cause = row.cause
    while cause != 0, cause < last, let event = events[cause] {
      if event.moment.controller == row.controller { return event.moment.kind == .calling }
      (last, cause) = (cause, event.cause)
    }
    return false
  }

  /// The moment that a request with a known origin depends on: the origin has entered.
  func anchor(ofOrigin origin: UInt32, _ row: EventRow) -> Anchor? {
    guard origin != 0 else { return nil }
    for kind in [EventKind.entered, .entering] {
      let moment = Moment(controller: row.controller, visit: origin, kind: kind)
      if let anchor = anchor(moment, row) { return anchor }
    }
    return nil
  }

  /// How an event of a visit follows a moment of the same visit, if that was recorded.
  func anchor(_ moment: Moment, _ row: EventRow) -> Anchor? {
    guard let mark = mark(moment) else { return nil }
    // In the call itself, or by the controller itself in the handling that made the call.
    let isInside = happened(row, in: mark.seq) || row.cause != 0 && row.cause == mark.cause
    return Anchor(
      moment: moment, delay: isInside ? 0 : Self.delay(from: mark.time, to: row.time),
      isInside: isInside)
  }

  /// Whether it happened in the handling of an input of the same controller, outside of the calls
  /// that the controller makes.
  func isInsideOwnInput(_ row: EventRow) -> Bool {
    guard row.cause != 0, let event = events[row.cause] else { return false }
    return event.moment.controller == row.controller && event.moment.kind.side == .input
  }

  /// The moment at which a step was deferred, and its delay; `nil` if it was not deferred.
  func putOff(_ row: EventRow) -> (moment: Moment, delay: Int64)? {
    guard row.cause != 0, let event = events[row.cause] else { return nil }
    return (event.moment, Self.delay(from: event.time, to: row.time))
  }

  private func happened(_ row: EventRow, in seq: Int64) -> Bool {
    var last = row.seq
    var cause = row.cause
    while cause >= seq, cause < last {
      if cause == seq { return true }
      guard let event = events[cause], event.moment.kind != .resumed else { return false }
      (last, cause) = (cause, event.cause)
    }
    return false
  }

  private func mark(_ moment: Moment) -> Mark? {
    courses[VisitKey(controller: moment.controller, visit: moment.visit)]?.marks[moment.kind]
  }

  private static let longest: Int64 = 1 << 50

  /// Times of two threads may step back a little, and those of a hostile file a lot.
  private static func delay(from start: Int64, to end: Int64) -> Int64 {
    let (delay, isOver) = end.subtractingReportingOverflow(start)
    return isOver ? 0 : min(max(delay, 0), longest)
  }
}

// MARK: Words

extension RecordedPast {
  /// What a state's report means, and the moment that it depends on.
  mutating func role(
    of completion: Completion, _ fit: Fit, _ row: EventRow
  ) -> (Cue.Role, Moment?) {
    let key = VisitKey(controller: row.controller, visit: row.visit)
    var course = courses[key] ?? Course()
    defer { courses[key] = course }
    func moment(_ kind: EventKind) -> Moment {
      Moment(controller: row.controller, visit: row.visit, kind: kind)
    }
    switch completion {
    case .entered where course.marks[.entering] != nil && !course.saidEntered && !course.saidExited:
      course.saidEntered = true
      return (.answer(isLawful: true), moment(.entering))
    case .exited where course.marks[.exiting] != nil && !course.saidExited:
      course.saidExited = true
      return (.answer(isLawful: course.leftInTime), moment(.exiting))
    case .exited where fit == .fits && !course.saidExited:
      course.saidExited = true
      return (.leave, course.latest([.entered, .entering, .enqueued]).map(moment))
    default:
      return (
        .stray, course.latest([.exited, .exiting, .entered, .entering, .enqueued]).map(moment)
      )
    }
  }
}

extension RecordedPast.Course {
  /// The latest event of these kinds.
  fileprivate func latest(_ kinds: [EventKind]) -> EventKind? {
    kinds.filter { marks[$0] != nil }.max { marks[$0]!.seq < marks[$1]!.seq }
  }
}
