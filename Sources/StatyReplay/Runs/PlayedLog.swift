import Staty
import StatyHistory
import StatyRules

/// The events of a run, checked by the rules.
struct PlayedLog {
  private(set) var rows: [EventRow] = []
  private(set) var names: [Int32: String]
  private var lastName: Int32
  private var numbers: [StateName: Int32] = [:]
  private var checker: SessionChecker
  /// The findings that are certain, in the order in which they became so.
  private(set) var certain: [Finding] = []
  /// Events that the rules have not checked yet: an event with an earlier number may follow.
  private var waiting: [(row: EventRow, detail: EventDetail?)] = []
  private var moments: [UInt64: Moment] = [:]
  /// The offset that makes the first number equal to the recording's first.
  private let base: Int64
  private(set) var count = 0
  /// The details of the events, if they are kept.
  private(set) var details: [EventDetail] = []
  private let keepsDetails: Bool
  /// What the events of each controller tell.
  private let comparabilities: [Int32: Comparability]
  /// The controllers that decided something.
  private(set) var deciding: Set<Int32> = []
  /// The tracks whose models received a message.
  private(set) var receiving: Set<Int32> = []
  private let tracks: Set<Int32>

  /// - Parameters:
  ///   - inserted: the states that are requested and were not recorded.
  ///   - keepsDetails: whether the details of events are kept.
  init(
    session: Int64, controllers: [ControllerRecord], names: [Int32: String],
    inserted: [StateName], firstSeq: Int64, keepsDetails: Bool = false
  ) {
    self.names = names
    self.keepsDetails = keepsDetails
    lastName = names.keys.max() ?? 0
    base = firstSeq &- 1
    comparabilities = Dictionary(controllers.map { ($0.id, $0.comparability) }) { first, _ in first
    }
    tracks = Set(controllers.filter(\.isTrack).map(\.id))
    checker = SessionChecker(session: session, controllers: controllers)
    for (number, text) in names.sorted(by: { $0.key > $1.key }) {
      numbers[StateName(text)] = number
    }
    for state in inserted { _ = learn(state) }
    checker.learn(names: self.names)
  }

  /// The log of a scenario.
  init(of scenario: Scenario, _ controllers: [ControllerRecord]) {
    self.init(
      session: 1, controllers: controllers, names: [:], inserted: scenario.requests.map(\.state),
      firstSeq: 1, keepsDetails: true)
    let exiting = scenario.mayWaitForExits ? scenario.requests.filter(\.exitsByItself) : []
    checker.note(exitingByThemselves: Set(exiting.map(\.controller)))
  }

  /// Notes what a model declares, which may not be what its recording says.
  mutating func declare(_ track: ControllerSnapshot, of controller: Int32) {
    checker.declare(ControllerOpening(track, id: controller))
  }

  /// The number of a state's name.
  func number(_ state: StateName) -> Int32 { numbers[state] ?? 0 }

  /// Notes an event.
  ///
  /// - Parameters:
  ///   - recorded: the recorded number of its visit.
  ///   - asking: how a request was made, in case its controller did not report it; with a message
  ///     its values.
  mutating func note(
    _ event: borrowing TransitionEvent, of controller: Int32, recorded: UInt32?, at time: Int64,
    asking: (origin: UInt32, payload: String?) = (0, nil)
  ) {
    var row = EventRow(
      seq: seq(event.number), time: time, kind: event.kind,
      reason: EventReason(event.detail, of: event.kind)?.code ?? 0, controller: controller,
      visit: event.visit?.rawValue ?? 0)
    row.set(event, numbered: seq)
    if let state = event.state { row.state = number(learning: state) }
    var detail: EventDetail?
    switch event.detail {
    case .request(let request):
      var asked = EventDetail(seq: row.seq)
      asked.origin = request.origin?.rawValue ?? (keepsDetails ? asking.origin : 0)
      asked.priority = request.request.priority
      asked.answers = request.request.answers
      if keepsDetails {
        asked.set(request, of: event) { number(learning: $0) }
        asked.payload = asking.payload.map { Array($0.utf8) }
      }
      detail = asked
    case .message(_, let part):
      let payload = keepsDetails ? asking.payload : nil
      if payload != nil || part != nil {
        detail = EventDetail(seq: row.seq)
        detail?.payload = payload.map { Array($0.utf8) }
        detail?.asked = part.map { number(learning: $0) } ?? 0
      }
    case .awaitsUser:
      detail = EventDetail(seq: row.seq)
      detail?.answers = RouteTable.awaitsUser
    case .step(let step) where keepsDetails:
      detail = EventDetail(seq: row.seq)
      detail?.step = step
    case .discard(.rejected(let refusal)) where keepsDetails:
      detail = EventDetail(seq: row.seq)
      detail?.set(refusal) { number(learning: $0) }
    default: break
    }
    if case .showing(let fingerprint) = event.detail {
      detail = EventDetail(seq: row.seq)
      detail?.equality = fingerprint
    }
    if event.kind == .moved, let first = event.instance, first != event.visit {
      detail = EventDetail(seq: row.seq)
      detail?.instance = first.rawValue
    }
    if row.visit == 0 || recorded != nil {
      moments[event.number] = Moment(
        controller: controller, visit: recorded ?? 0, kind: event.kind)
    }
    add(row, detail)
  }

  /// Notes that a controller was attached or detached.
  mutating func note(
    _ kind: EventKind, reason: UInt8 = 0, of controller: Int32, number: UInt64, at time: Int64
  ) {
    add(
      EventRow(seq: seq(number), time: time, kind: kind, reason: reason, controller: controller),
      nil)
  }

  /// Notes the snapshot of a controller when it is attached.
  mutating func note(
    _ snapshot: SnapshotRecord, of controller: Int32, _ numbering: Numbering, at time: Int64
  ) {
    guard !snapshot.standing.isEmpty || !snapshot.waiting.isEmpty else { return }
    let instances = Dictionary(
      (snapshot.standing + snapshot.waiting).map { ($0.visit, $0.instance) },
      uniquingKeysWith: { first, _ in first })
    for (request, reason) in PolicySnapshot(snapshot).stood {
      let seq = seq(numbering.next())
      var detail = EventDetail(seq: seq)
      detail.priority = request.priority
      detail.answers = request.answers & RouteTable.flags
      detail.instance = instances[request.visit.rawValue].flatMap(\.self) ?? 0
      add(
        EventRow(
          seq: seq, time: time, kind: .stood, reason: reason.code, controller: controller,
          visit: request.visit.rawValue, state: number(learning: request.state)),
        detail == EventDetail(seq: seq) ? nil : detail)
    }
  }

  /// Notes that a condition of an app's own does not hold after the last event.
  mutating func noteBroken(_ condition: StateName, of controller: Int32) {
    flush()
    certain.append(
      .invariant(number(learning: condition), of: controller, at: rows.last?.seq ?? base + 1))
  }

  /// The event with a number, which is most often one of the last.
  func row(_ seq: Int64) -> EventRow? { rows.last { $0.seq == seq } }

  /// The recorded moment that an event with this number stands for.
  func moment(_ number: UInt64) -> Moment? { moments[number] }

  /// Lets the rules check all events: nothing is under way, so no earlier number can follow.
  mutating func flush() {
    waiting.sort { $0.row.seq < $1.row.seq }
    for (row, detail) in waiting {
      rows.append(row)
      checker.take(row, detail)
      if keepsDetails, let detail { details.append(detail) }
    }
    waiting.removeAll(keepingCapacity: true)
    certain += checker.drain()
  }

  private mutating func add(_ row: EventRow, _ detail: EventDetail?) {
    count += 1
    waiting.append((row, detail))
    guard let kind = EventKind(rawValue: row.kind) else { return }
    if kind == .received, tracks.contains(row.controller) { receiving.insert(row.controller) }
    if comparabilities[row.controller]?.isDecision(kind) ?? false {
      deciding.insert(row.controller)
    }
  }

  private func seq(_ number: UInt64) -> Int64 { base &+ Int64(truncatingIfNeeded: number) }

  private mutating func number(learning state: StateName) -> Int32 {
    if let known = numbers[state] { return known }
    let number = learn(state)
    checker.learn(names: names)
    return number
  }

  private mutating func learn(_ state: StateName) -> Int32 {
    if let known = numbers[state] { return known }
    // A hostile file may have used up all numbers; then the name has none.
    guard lastName < .max else { return 0 }
    lastName += 1
    numbers[state] = lastName
    names[lastName] = state.description
    return lastName
  }

  /// All findings of the rules.
  ///
  /// - Parameters:
  ///   - end: when the recording ended.
  ///   - gaps: until when the inputs of controllers are known, for controllers that lack some.
  ///   - isOver: whether the run reached its end; otherwise rules about the end do not apply.
  ///   - isCut: whether what it is played from was cut off.
  ///   - isSettled: whether all answers for a finding's controller have come. Then waiting longer
  ///     changes nothing; for other controllers the recording ended too early to know.
  func allFindings(
    end: Int64, isOver: Bool, gaps: [Int32: Int64] = [:], isCut: Bool = false,
    isSettled: (Finding) -> Bool
  ) -> [Finding] {
    let known = certain.filter { finding in
      gaps[finding.controller].map { time(of: finding) <= $0 } ?? true
    }
    guard isOver else { return known.sorted() }
    let last = max(end, rows.last?.time ?? end)
    let later = last.addingClamped(CheckOptions().patience.inMicroseconds)
    let whole = { (finding: Finding) in gaps[finding.controller] == nil }
    let atOnce = checker.findingsAtEnd(endTime: last, isCut: isCut).filter {
      whole($0) && !isSettled($0)
    }
    let inAWhile = checker.findingsAtEnd(endTime: later, isCut: isCut).filter {
      whole($0) && isSettled($0)
    }
    let atGaps = Set(gaps.values).sorted().flatMap { time in
      checker.findingsAtEnd(endTime: time, isCut: true).filter { gaps[$0.controller] == time }
    }
    return (known + atOnce + inAWhile + atGaps).sorted()
  }

  private func time(of finding: Finding) -> Int64 {
    rows.first { $0.seq == finding.seq }?.time ?? .max
  }
}
