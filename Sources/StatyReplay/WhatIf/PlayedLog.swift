import Staty
import StatyHistory
import StatyRules

/// What happens in a what-if replay, written down and held against the rules.
struct PlayedLog {
  private(set) var rows: [EventRow] = []
  private(set) var names: [Int32: String]
  private var lastName: Int32
  private var numbers: [StateName: Int32] = [:]
  private var checker: SessionChecker
  private var findings: [Finding] = []
  /// What has happened and was not yet judged: a number that was drawn earlier may come later.
  private var waiting: [(row: EventRow, detail: EventDetail?)] = []
  private var moments: [UInt64: Moment] = [:]
  /// What is added to a number that was drawn, so that the first is the recording's first.
  private let base: Int64
  private(set) var count = 0
  /// What the rows do not say, if it is kept.
  private(set) var details: [EventDetail] = []
  private let keepsDetails: Bool
  /// What is told of each controller.
  private let comparabilities: [Int32: Comparability]
  /// The controllers that decided something.
  private(set) var deciding: Set<Int32> = []

  /// - Parameters:
  ///   - inserted: the states that are asked for and were not recorded.
  ///   - keepsDetails: whether what the rows do not say is wanted.
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
    checker = SessionChecker(session: session, controllers: controllers)
    for (number, text) in names.sorted(by: { $0.key > $1.key }) {
      numbers[StateName(text)] = number
    }
    for state in inserted { _ = learn(state) }
    checker.learn(names: self.names)
  }

  /// The number of a state's name.
  func number(_ state: StateName) -> Int32 { numbers[state] ?? 0 }

  /// Writes an event down.
  ///
  /// - Parameters:
  ///   - recorded: the recorded number of its visit.
  ///   - asking: how a request was made, as far as its controller may not have reported it.
  mutating func note(
    _ event: borrowing TransitionEvent, of controller: Int32, recorded: UInt32?, at time: Int64,
    asking: (origin: UInt32, payload: String?) = (0, nil)
  ) {
    var row = EventRow(
      seq: seq(event.number), time: time, kind: event.kind,
      reason: EventReason(event.detail)?.code ?? 0, controller: controller,
      visit: event.visit?.rawValue ?? 0)
    row.set(event, numbered: seq)
    if let state = event.state { row.state = number(learning: state) }
    var detail: EventDetail?
    switch event.detail {
    case .request(let request):
      var asked = EventDetail(seq: row.seq)
      asked.origin = request.origin?.rawValue ?? asking.origin
      asked.priority = request.request.priority
      if keepsDetails {
        asked.set(request, of: event) { number(learning: $0) }
        asked.payload = asking.payload.map { Array($0.utf8) }
      }
      detail = asked
    case .step(let step) where keepsDetails:
      detail = EventDetail(seq: row.seq)
      detail?.step = step
    case .discard(.rejected(let refusal)) where keepsDetails:
      detail = EventDetail(seq: row.seq)
      detail?.set(refusal) { number(learning: $0) }
    default: break
    }
    if row.visit == 0 || recorded != nil {
      moments[event.number] = Moment(
        controller: controller, visit: recorded ?? 0, kind: event.kind)
    }
    add(row, detail)
  }

  /// Writes down that a controller came or went.
  mutating func note(_ kind: EventKind, of controller: Int32, number: UInt64, at time: Int64) {
    add(EventRow(seq: seq(number), time: time, kind: kind, controller: controller), nil)
  }

  /// Writes down where a controller stands when it comes.
  mutating func note(
    _ snapshot: SnapshotRecord, of controller: Int32, _ numbering: Numbering, at time: Int64
  ) {
    guard !snapshot.standing.isEmpty || !snapshot.waiting.isEmpty else { return }
    for (request, reason) in PolicySnapshot(snapshot).stood {
      let seq = seq(numbering.next())
      var detail: EventDetail?
      if request.priority != 0 {
        detail = EventDetail(seq: seq)
        detail?.priority = request.priority
      }
      add(
        EventRow(
          seq: seq, time: time, kind: .stood, reason: reason.code, controller: controller,
          visit: request.visit.rawValue, state: number(learning: request.state)), detail)
    }
  }

  /// What happened under a number, as the recording would name it.
  func moment(_ number: UInt64) -> Moment? { moments[number] }

  /// Nothing is under way: all numbers that were drawn have come.
  mutating func flush() {
    waiting.sort { $0.row.seq < $1.row.seq }
    for (row, detail) in waiting {
      rows.append(row)
      checker.take(row, detail)
      if keepsDetails, let detail { details.append(detail) }
    }
    waiting.removeAll(keepingCapacity: true)
    findings += checker.drain()
  }

  private mutating func add(_ row: EventRow, _ detail: EventDetail?) {
    count += 1
    waiting.append((row, detail))
    guard let kind = EventKind(rawValue: row.kind) else { return }
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

  /// What the rules say for certain, in the order in which it became so.
  var certain: [Finding] { findings }

  /// What the rules say of everything.
  ///
  /// - Parameters:
  ///   - end: when the recording ended.
  ///   - gaps: up to when it is known what controllers were told, of those of which not all is.
  ///   - isOver: whether it came to its end; else what only the end shows is not judged.
  ///   - isSettled: whether a finding's controller had all its answers: for it nothing more comes,
  ///     however long anybody waits, while of others only so much was recorded.
  func allFindings(
    end: Int64, isOver: Bool, gaps: [Int32: Int64] = [:], isSettled: (Finding) -> Bool
  ) -> [Finding] {
    let known = findings.filter { finding in
      gaps[finding.controller].map { time(of: finding) <= $0 } ?? true
    }
    guard isOver else { return known.sorted() }
    let last = max(end, rows.last?.time ?? end)
    let later = last.addingClamped(CheckOptions().patience.inMicroseconds)
    let whole = { (finding: Finding) in gaps[finding.controller] == nil }
    let atOnce = checker.findingsAtEnd(lastTime: last).filter { whole($0) && !isSettled($0) }
    let inAWhile = checker.findingsAtEnd(lastTime: later).filter { whole($0) && isSettled($0) }
    let atGaps = Set(gaps.values).sorted().flatMap { time in
      checker.findingsAtEnd(lastTime: time).filter { gaps[$0.controller] == time }
    }
    return (known + atOnce + inAWhile + atGaps).sorted()
  }

  private func time(of finding: Finding) -> Int64 {
    rows.first { $0.seq == finding.seq }?.time ?? .max
  }
}
