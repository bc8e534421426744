import Staty
import StatyHistory

/// An index of the recorded moments that later events depend on.
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
    /// When the handling around it began.
    let time: Int64
    /// Whether its controller is played, so that inputs can depend on it.
    let isPlayed: Bool
  }

  private var events: [Int64: Event] = [:]
  /// The outward calls, by the numbers of their events.
  private var calls: [Int64: Scenario.Call] = [:]
  private var callCounts: [Scenario.Call: Int] = [:]
  /// The first event of each moment of a played controller's visit.
  private var firsts: [Moment: Int64] = [:]
  /// What states have reported.
  private var said: Set<Moment> = []

  /// Notes an event of any controller.
  ///
  /// - Returns: the event with the time at which the handling around it began. In a replay handling
  ///   takes no time, and a delay measured from inside of it would be too short.
  mutating func note(
    _ event: RecordedEvent, _ kind: EventKind, isPlayed: Bool, _ names: RecordedNames
  ) -> RecordedEvent {
    var row = event.row
    // What a message answers is not around it.
    let cause = kind == .received ? row.inside : row.cause
    if kind != .resumed, cause < row.seq, let outer = events[cause] {
      row.time = outer.time
    }
    if kind == .calling, isPlayed { noteCall(row, names) }
    events[row.seq] = Event(
      moment: Moment(row, kind), cause: cause, time: row.time, isPlayed: isPlayed)
    return RecordedEvent(row: row, detail: event.detail)
  }

  /// Notes that an event of a played controller's visit has happened.
  mutating func follow(_ row: EventRow, _ kind: EventKind) {
    if row.visit != 0, firsts[Moment(row, kind)] == nil { firsts[Moment(row, kind)] = row.seq }
  }

  /// Whether an event was recorded of a controller that is not played.
  func isUnplayed(_ seq: Int64) -> Bool { events[seq].map { !$0.isPlayed } ?? false }

  /// Whether an event is about a visit of a played controller.
  func knows(_ row: EventRow) -> Bool { latest(of: Self.lifetime, row) != nil }

  /// Begins a controller with open visits.
  ///
  /// - Returns: the moments at which their states were told something.
  mutating func begin(
    _ controller: Int32, with snapshot: SnapshotRecord, seq: Int64
  ) -> [Moment] {
    (snapshot.waiting + snapshot.standing).flatMap { one in
      let moments = Self.past(one.phase.flatMap(Phase.init) ?? .empty).map {
        Moment(controller: controller, visit: one.visit, kind: $0)
      }
      for moment in moments { firsts[moment] = seq }
      said.formUnion(moments.filter { $0.kind == .entered })
      return moments
    }
  }

  /// The events of a visit in this phase that inputs can depend on.
  static func past(_ phase: Phase) -> [EventKind] {
    switch phase {
    case .empty: [.enqueued]
    case .entering: [.enqueued, .entering]
    case .entered: [.enqueued, .entering, .entered]
    case .exiting: [.enqueued, .entering, .entered, .exiting]
    case .exited: []
    }
  }

  /// The kinds of events in the life of a visit, the last first.
  private static let lifetime: [EventKind] = [
    .exited, .exiting, .entered, .entering, .enqueued,
  ]
}

// MARK: Causes

extension RecordedPast {
  /// The nearest moment of a played controller that an event happened in; `nil` if there is none.
  func anchor(of row: EventRow) -> Anchor? {
    var isInside = true
    for (_, event) in causes(of: row) {
      if event.moment.kind == .resumed { isInside = false }
      // It comes with the message that is nearer.
      if isInside, isMessage(event, toOtherThan: row.controller) { return nil }
      if event.moment.visit != 0, Moment.isOne(event.moment.kind), event.isPlayed {
        return Anchor(
          moment: event.moment, delay: isInside ? 0 : Self.delay(from: event.time, to: row.time),
          isInside: isInside)
      }
    }
    return nil
  }

  /// The message in whose handling by another played controller an event happened; `nil` if it is none.
  func message(around row: EventRow) -> Int64? {
    // What a message answers is not around it.
    var row = row
    row.ownCause = 0
    for (seq, event) in causes(of: row) {
      if event.moment.kind == .resumed { return nil }
      if isMessage(event, toOtherThan: row.controller) { return seq }
    }
    return nil
  }

  private func isMessage(_ event: Event, toOtherThan controller: Int32) -> Bool {
    event.moment.kind == .received && event.isPlayed && event.moment.controller != controller
  }

  /// The outward call of its own controller that an event happened in; `nil` if it is none.
  func call(of row: EventRow) -> Scenario.Call? {
    let own = causes(of: row).first { $0.event.moment.controller == row.controller }
    guard let own, own.event.moment.kind == .calling else { return nil }
    return calls[own.seq]
  }

  private mutating func noteCall(_ row: EventRow, _ names: RecordedNames) {
    guard let name = names[row.state] else { return }
    let around = events[row.cause]?.moment
    var call = Scenario.Call(
      name, by: row.controller, on: around?.kind, Int(around?.visit ?? 0))
    let count = callCounts[call, default: 0]
    callCounts[call] = count + 1
    call.number = count
    calls[row.seq] = call
  }

  /// The moment that a request with a known origin depends on: the origin has entered.
  func anchor(ofOrigin origin: UInt32, _ row: EventRow) -> Anchor? {
    if origin == 0 { return nil }
    func anchor(_ kind: EventKind) -> Anchor? {
      self.anchor(Moment(controller: row.controller, visit: origin, kind: kind), row)
    }
    return anchor(.entered) ?? anchor(.entering)
  }

  /// How an event of a visit follows a moment of the same visit, if that was recorded.
  func anchor(_ moment: Moment, _ row: EventRow) -> Anchor? {
    guard let first = firsts[moment], let event = events[first] else { return nil }
    // In the call itself, or by the controller itself in the handling that made the call.
    let isInside = happened(row, in: first) || row.cause != 0 && row.cause == event.cause
    return Anchor(
      moment: moment, delay: isInside ? 0 : Self.delay(from: event.time, to: row.time),
      isInside: isInside)
  }

  /// Whether it happened in the handling of an input of the same controller, outside of the calls
  /// that the controller makes.
  func isInsideOwnInput(_ row: EventRow) -> Bool {
    // What observers did is told again.
    if row.isHeard { return false }
    guard row.cause != 0, let event = events[row.cause] else { return false }
    return event.moment.controller == row.controller && event.moment.kind.side == .input
  }

  /// The moment at which a step was deferred, and its delay; `nil` if it was not deferred.
  func deferral(_ row: EventRow) -> (moment: Moment, delay: Int64)? {
    guard row.cause != 0, let event = events[row.cause] else { return nil }
    return (event.moment, Self.delay(from: event.time, to: row.time))
  }

  private func happened(_ row: EventRow, in seq: Int64) -> Bool {
    for (cause, event) in causes(of: row) {
      if cause == seq { return true }
      if cause < seq || event.moment.kind == .resumed { return false }
    }
    return false
  }

  /// The causes of an event, the nearest first.
  private func causes(
    of row: EventRow
  ) -> UnfoldSequence<(seq: Int64, event: Event), (seq: Int64, cause: Int64)> {
    sequence(state: (row.seq, row.cause)) { last in
      guard last.cause != 0, last.cause < last.seq, let event = events[last.cause] else {
        return nil
      }
      defer { last = (last.cause, event.cause) }
      return (last.cause, event)
    }
  }

  private static let longest: Int64 = 1 << 50

  /// Times of two threads may step back a little, and those of a hostile file a lot.
  private static func delay(from start: Int64, to end: Int64) -> Int64 {
    let (delay, isOver) = end.subtractingReportingOverflow(start)
    return isOver ? 0 : min(max(delay, 0), longest)
  }
}

// MARK: Reports

extension RecordedPast {
  /// What a state's report means, and the moment that it depends on.
  mutating func role(
    of completion: Completion, _ fit: Fit, _ row: EventRow
  ) -> (ScriptCue.Role, Moment?) {
    let isEntered = completion == .entered
    let report = Moment(row, isEntered ? .entered : .exited)
    if said.contains(report) || said.contains(Moment(row, .exited)) {
      return (.stray, latest(of: Self.lifetime, row))
    }
    let told = Moment(row, isEntered ? .entering : .exiting)
    if firsts[told] != nil {
      said.insert(report)
      return (.answer(isLawful: isEntered || isDismissedInTurn(row)), told)
    }
    guard !isEntered, fit == .fits else { return (.stray, latest(of: Self.lifetime, row)) }
    said.insert(report)
    return (.exitByItself, latest(of: Self.lifetime.suffix(3), row))
  }

  /// Whether a visit that is told to exit now has entered before, and has not exited.
  func mayExit(_ row: EventRow) -> Bool {
    isDismissedInTurn(row) && firsts[Moment(row, .exited)] == nil
  }

  /// Whether a visit had entered when it was first told to exit.
  private func isDismissedInTurn(_ row: EventRow) -> Bool {
    guard let entered = firsts[Moment(row, .entered)] else { return false }
    return firsts[Moment(row, .exiting)].map { entered <= $0 } ?? false
  }

  /// The latest moment of these kinds in the life of an event's visit.
  private func latest(of kinds: some Sequence<EventKind>, _ row: EventRow) -> Moment? {
    kinds.map { Moment(row, $0) }.filter { firsts[$0] != nil }
      .max { firsts[$0]! < firsts[$1]! }
  }
}
