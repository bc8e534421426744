import Staty
import StatyHistory

/// The events that the command line selects.
struct EventFilter {
  let choice: SessionChoice
  private let states: [String]
  private let kinds: Set<UInt8>
  private let since: TimeBound?
  private let until: TimeBound?
  /// The selected numbers.
  let seqs: ClosedRange<Int64>

  static let options: [OptionSpec] =
    SessionChoice.options + [
      .valued("state", "name", "Only events of visits of the state with this name.").repeatable,
      .valued(
        "kind", "kind", choices: EventKind.allCases.map(\.text),
        "Only events of this kind, such as 'enqueued', 'entered' or 'lost'."
      ).repeatable,
    ] + times + [
      .valued(
        "seq", "range", "Only the events with these numbers: '12', '12..20', '12..', '..20'.")
    ]

  /// The options that limit the time.
  static let times: [OptionSpec] = [
    .valued(
      "since", "moment",
      """
      Only from this time on: '10m' before the end of what is recorded, '+1.5s' into the \
      session, or '2025-10-09T08:53:20Z', which may be shorter.
      """),
    .valued("until", "moment", "Only up to this time."),
  ]

  init(_ arguments: ParsedArguments) {
    choice = SessionChoice(arguments)
    states = arguments.texts("state")
    kinds = Set(arguments.texts("kind").compactMap { EventKind(text: $0)?.rawValue })
    since = arguments.timeBound("since")
    until = arguments.timeBound("until")
    seqs = arguments.seqs("seq") ?? 1...Int64.max
  }

  /// Whether a beginning is given.
  var hasBeginning: Bool { since != nil || seqs.lowerBound > 1 }

  /// The selection in one session.
  ///
  /// - Parameter end: when recording ended, or now, in microseconds since 1970.
  func wanted(of session: ListedSession, end: Int64) -> Wanted {
    Wanted(
      session: session, kinds: kinds,
      controllers: choice.controllers.isEmpty
        ? nil : Set(session.words.controllers.values.filter(choice.means).map(\.id)),
      states: states.isEmpty
        ? nil : Set(session.words.names.filter { states.contains($0.value) }.keys),
      since: since.map { Wanted.Bound($0, end) }, until: until.map { Wanted.Bound($0, end) })
  }

  /// The selection in one session, by its numbers.
  struct Wanted {
    fileprivate let session: ListedSession
    fileprivate let kinds: Set<UInt8>
    /// The numbers of the controllers; `nil` for all.
    let controllers: Set<Int32>?
    /// The numbers of the states' names; `nil` for all.
    let states: Set<Int32>?
    fileprivate let since: Bound?
    fileprivate let until: Bound?

    fileprivate struct Bound {
      let isWall: Bool
      let time: Int64

      init(_ bound: TimeBound, _ end: Int64) {
        switch bound {
        case .ago(let time): (isWall, self.time) = (true, end &- time)
        case .into(let time): (isWall, self.time) = (false, time)
        case .wall(let time): (isWall, self.time) = (true, time)
        }
      }
    }

    /// The selected times of the session, in microseconds since it began; none if the end is before
    /// the beginning.
    var times: ClosedRange<Int64>? {
      let first = since.map { $0.isWall ? session.time(atWall: $0.time) : $0.time } ?? .min
      let last = until.map { $0.isWall ? session.time(atWall: $0.time) : $0.time } ?? .max
      return first <= last ? first...last : nil
    }

    /// Whether an event is selected, or a gap at this time.
    ///
    /// A gap is always selected: the missing events may belong to any controller.
    func means(_ event: ListedEvent, at time: Int64) -> Bool {
      guard isIn(time) else { return false }
      guard let row = event.row else {
        return kinds.isEmpty || kinds.contains(EventKind.lost.rawValue)
      }
      return (kinds.isEmpty || kinds.contains(row.kind))
        && (controllers?.contains(row.controller) ?? true)
        && (states?.contains(row.state) ?? true)
    }

    private func isIn(_ time: Int64) -> Bool {
      guard since != nil || until != nil else { return true }
      let wall = session.wallTime(time)
      if let since, (since.isWall ? wall : time) < since.time { return false }
      if let until, (until.isWall ? wall : time) > until.time { return false }
      return true
    }
  }
}

extension EventFilter {
  /// Fails if a given name is not in the file.
  func checkNames(_ records: [SessionRecord], of history: OpenHistory) throws {
    try choice.checkNames(records, of: history)
    try history.checkStates(states)
  }

  /// When recording ended, or now if it has not, in microseconds since 1970.
  func end(_ records: [SessionRecord], _ history: OpenHistory) throws -> Int64 {
    if history.recorder != nil { return RecorderTime.wallMicroseconds }
    guard let last = records.last else { return 0 }
    return try ListedSession(last, history.reader).wallTime(last.lastTime)
  }
}
