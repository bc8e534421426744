import Staty

/// Everything that is known of a visit that is not over.
package struct OpenVisit: Sendable {
  /// The phase of a visit.
  package enum Phase: Sendable {
    case waiting
    case entering
    case entered
    case exiting

    /// The phase of a visit that was open when recording began; `nil` if the event does not say so.
    init?(standing row: EventRow) {
      switch row.reason {
      case EventReason.stoodWaiting.code: self = .waiting
      case EventReason.stoodEntering.code: self = .entering
      case EventReason.stoodEntered.code: self = .entered
      case EventReason.stoodExiting.code: self = .exiting
      default: return nil
      }
    }
  }

  /// An event that later ones are compared with; its number is 0 if there was none.
  package struct Point: Sendable {
    package var seq: Int64
    package var time: Int64

    package init(seq: Int64 = 0, time: Int64 = 0) {
      self.seq = seq
      self.time = time
    }

    init(_ row: EventRow) { self.init(seq: row.seq, time: row.time) }

    /// Becomes this event, unless it is an earlier one.
    mutating func keepFirst(_ row: EventRow) { if seq == 0 { self = Point(row) } }
  }

  /// The first visit that entered before this one although it should not have; 0 if there is none.
  package struct Jumper: Sendable {
    package var seq: Int64 = 0
    package var visit: UInt32 = 0
    package var state: Int32 = 0
  }

  package internal(set) var visit: UInt32 = 0
  package internal(set) var state: Int32 = 0
  package internal(set) var priority: Int32 = 0
  /// On a path: the first visit of an equal element.
  var instance: UInt32 = 0
  package internal(set) var phase = Phase.waiting
  package internal(set) var past = VisitPast()
  /// Its first event.
  package internal(set) var first = Point()
  /// When it was requested.
  package internal(set) var asked = Point()
  /// When it was told to enter, or entered without being told.
  package internal(set) var told = Point()
  /// When it entered.
  package internal(set) var entered = Point()
  /// When it was told to exit, since it was told to enter last.
  package internal(set) var dismissed = Point()
  /// When it was told to exit first.
  var firstDismissed = Point()
  package internal(set) var jumper = Jumper()
  /// The state that was shown before it: 0 if none was, -1 if that is not known.
  var from: Int32 = -1
  /// When the visit before was told to exit, and when it had exited.
  ///
  /// Both lie between this one's request and the moment when it was told to enter.
  var turn: Int64?
  var free: Int64?
  /// Its neighbours in its list.
  var next: Int32 = -1
  var previous: Int32 = -1

  package init() {}

  /// The phase that its events show.
  ///
  /// A visit that was told to exit while it was entering is exiting. A visit that was told to exit
  /// while it waited was never on the stage.
  package var progress: Phase {
    guard isUnsure else {
      return phase == .entering && past.contains(.toldToExit) ? .exiting : phase
    }
    if firstDismissed.seq != 0, told.seq != 0 || asked.seq == 0 { return .exiting }
    return entered.seq != 0 ? .entered : told.seq != 0 ? .entering : .waiting
  }

  /// The event with which the phase began; its number is 0 if that event is not known.
  package var since: Point {
    switch progress {
    case .waiting: asked
    case .entering: told
    case .entered: entered
    case .exiting: dismissed.seq != 0 ? dismissed : firstDismissed
    }
  }

  /// Whether events are missing since its last one, so that its phase may have changed.
  package var isLost: Bool { past.contains(.lost) }

  package var isOnStage: Bool { phase != .waiting }
  package var isMoving: Bool { phase == .entering || phase == .exiting }
  /// Whether events that show its phase may be missing.
  var isUnsure: Bool { past.contains(.unsure) }
}

extension OpenVisit {
  /// A visit with its first event.
  init(_ row: EventRow) {
    self.init()
    visit = row.visit
    state = row.state
    first = .init(row)
  }

  /// A visit that was open when recording began; `nil` if the event does not say so.
  init?(standing row: EventRow, _ detail: FoldedDetail, on discipline: Discipline) {
    guard let phase = Phase(standing: row) else { return nil }
    self.init(row)
    self.phase = phase
    let now = Point(seq: row.seq, time: row.time &- detail.age)
    priority = detail.priority
    past.insert(.stood)
    // A later visit of the same element names this one.
    if discipline == .moves { instance = detail.instance == 0 ? row.visit : detail.instance }
    take(flagsOf: detail)
    if phase == .waiting {
      asked = now
      return
    }
    past.insert([.toldToEnter, .came])
    told = now
    if phase == .entering { return }
    past.insert(.hasEntered)
    entered = now
    if phase == .entered { return }
    past.insert([.toldToExit, .dismissed])
    (dismissed, firstDismissed) = (now, now)
  }

  /// Takes what its request says besides its routes.
  mutating func take(flagsOf detail: FoldedDetail) {
    if detail.isAnew { past.insert(.askedAnew) }
    if detail.isPastRoutes { past.insert(.pastRoutes) }
    if detail.awaitsUser { past.insert(.awaitsUser) }
  }

  /// The same, as the answers of its request.
  var flags: UInt64 {
    (past.contains(.askedAnew) ? RouteTable.anew : 0)
      | (past.contains(.pastRoutes) ? RouteTable.pastRoutes : 0)
      | (past.contains(.awaitsUser) ? RouteTable.awaitsUser : 0)
  }

  /// Becomes certain again with an event that shows its phase, in the phase that it had before.
  mutating func seeAgain(_ kind: EventKind) {
    past.formIntersection([
      .came, .dismissed, .stood, .hasLost, .changed, .returned, .awaitsUser, .askedAnew,
      .pastRoutes,
    ])
    jumper = .init()
    phase = kind == .exiting ? .entered : .waiting
    if kind == .exiting { past.insert([.toldToEnter, .hasEntered, .seenExiting]) }
  }

  /// Takes an event while its phase is not known, for its row.
  mutating func takeUnsure(_ row: EventRow, _ kind: EventKind) {
    past.remove(.lost)
    if state == 0 { state = row.state }
    switch kind {
    case .enqueued: asked.keepFirst(row)
    case .entering: if entered.seq == 0 { told.keepFirst(row) }
    case .entered:
      entered.keepFirst(row)
      told.keepFirst(row)
    case .deadline: if told.seq != 0 { entered.keepFirst(row) }
    case .exiting:
      firstDismissed.keepFirst(row)
      past.insert(.dismissed)
    default: break
    }
  }
}

/// What has happened to a visit, as a set of flags.
package struct VisitPast: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  // The method of `OptionSet` is generic. In other modules it would cost more than most rules.
  package func contains(_ other: VisitPast) -> Bool { rawValue & other.rawValue == other.rawValue }

  package static let toldToEnter = VisitPast(rawValue: 1)
  package static let hasEntered = VisitPast(rawValue: 1 << 1)
  package static let toldToExit = VisitPast(rawValue: 1 << 2)
  /// A deadline ended it while it was entering.
  package static let skipped = VisitPast(rawValue: 1 << 3)
  package static let exited = VisitPast(rawValue: 1 << 4)
  package static let discarded = VisitPast(rawValue: 1 << 5)
  /// It acted after it was over; its next events prove nothing.
  static let judged = VisitPast(rawValue: 1 << 6)
  /// It was requested where no state is shown any more.
  static let askedAnew = VisitPast(rawValue: 1 << 7)
  /// After events were lost, it was told to exit: so it counts as entered.
  static let seenExiting = VisitPast(rawValue: 1 << 8)
  /// It reported that it had entered, after it had been told to exit.
  package static let reportedEntered = VisitPast(rawValue: 1 << 9)
  /// It was open when recording began.
  static let stood = VisitPast(rawValue: 1 << 10)
  /// Its phase may have changed in lost events.
  static let unsure = VisitPast(rawValue: 1 << 11)
  /// Events were lost since its last event.
  static let lost = VisitPast(rawValue: 1 << 12)
  /// Events were lost since its first event.
  static let hasLost = VisitPast(rawValue: 1 << 13)
  /// It was shown last, at least once.
  static let came = VisitPast(rawValue: 1 << 14)
  /// It was told to exit, at least once.
  static let dismissed = VisitPast(rawValue: 1 << 15)
  /// It was cancelled while it waited.
  package static let cancelled = VisitPast(rawValue: 1 << 17)
  /// It exits only when the user closes it.
  package static let awaitsUser = VisitPast(rawValue: 1 << 19)
  /// It was requested after the user had gone there, whatever the routes say.
  static let pastRoutes = VisitPast(rawValue: 1 << 20)
  /// It was over and then entered: its row is closed and stays so.
  static let returned = VisitPast(rawValue: 1 << 18)
  /// Its row has changed since rows were taken last.
  static let changed = VisitPast(rawValue: 1 << 16)
}
