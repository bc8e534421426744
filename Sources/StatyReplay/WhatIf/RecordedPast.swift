import Staty
import StatyHistory

/// What has been recorded so far, as far as later events hang on it.
struct RecordedPast {
  /// What an input hangs on, and how long after.
  struct Anchor {
    let moment: Moment
    let delay: Int64
    let isInside: Bool
  }

  private struct Event {
    let moment: Moment
    let cause: Int64
    let time: Int64
    /// Whether its controller is played, so that something can hang on it.
    let isPlayed: Bool
  }

  /// A word or an order, and when.
  fileprivate struct Mark {
    let seq: Int64
    let time: Int64
    let cause: Int64
  }

  /// What a visit went through.
  fileprivate struct Course {
    var marks: [EventKind: Mark] = [:]
    var saidEntered = false
    var saidExited = false
    /// Whether it was in when it was told to exit.
    var leftInTime = false
  }

  private var events: [Int64: Event] = [:]
  private var courses: [VisitKey: Course] = [:]
  private var stage = StageVisits()

  /// Notes an event, whoever's it is.
  ///
  /// - Returns: the event with the time at which the handling began that it happened in. In a replay
  ///   handling takes no time, and what is measured from inside of it would come too early.
  mutating func note(
    _ event: RecordedEvent, _ kind: EventKind, isPlayed: Bool
  ) -> RecordedEvent {
    var row = event.row
    if kind != .resumed, row.cause < row.seq, let outer = events[row.cause] {
      row.time = outer.time
    }
    events[row.seq] = Event(
      moment: Moment(controller: row.controller, visit: row.visit, kind: kind), cause: row.cause,
      time: row.time, isPlayed: isPlayed)
    return RecordedEvent(row: row, detail: event.detail)
  }

  /// Whether an event is about a visit that was seen before.
  func knows(_ row: EventRow) -> Bool {
    courses[VisitKey(controller: row.controller, visit: row.visit)] != nil
  }

  /// What an event of a played controller says of its visit.
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

  /// Whether a visit that is told this is told in its turn: to come in while nobody else is on the
  /// stage, to leave when it is in and not out.
  func isInTurn(_ kind: EventKind, _ row: EventRow) -> Bool {
    if kind == .exiting {
      let course = courses[VisitKey(controller: row.controller, visit: row.visit)]
      return course?.leftInTime == true && course?.marks[.exited] == nil
    }
    return stage.isFree(for: row.visit, of: row.controller)
  }

  /// A controller comes in with visits that are under way.
  ///
  /// - Returns: the moments of these at which a state has been told something.
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

  /// What a visit in this phase has been through, as far as something can hang on it.
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
  /// The nearest moment of a played controller that an event happened in; `nil` if in none.
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

  /// What a request hangs on whose origin is known: that it came in.
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

  /// Whether it happened in the handling of an input of the same controller, and in no call of its.
  func isInsideOwnInput(_ row: EventRow) -> Bool {
    guard row.cause != 0, let event = events[row.cause] else { return false }
    return event.moment.controller == row.controller && event.moment.kind.side == .input
  }

  /// What a step was put off in, and for how long; `nil` if it was not put off.
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

  /// Times of two threads may step back by a little, and those of a hostile file by much.
  private static func delay(from start: Int64, to end: Int64) -> Int64 {
    let (delay, isOver) = end.subtractingReportingOverflow(start)
    return isOver ? 0 : min(max(delay, 0), longest)
  }
}

// MARK: Words

extension RecordedPast {
  /// What it means that a state said something, and which moment it hangs on.
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
  /// Of these kinds the one that happened last.
  fileprivate func latest(_ kinds: [EventKind]) -> EventKind? {
    kinds.filter { marks[$0] != nil }.max { marks[$0]!.seq < marks[$1]!.seq }
  }
}
