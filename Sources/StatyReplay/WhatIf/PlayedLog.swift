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
  /// The controllers that decided something.
  private(set) var deciding: Set<Int32> = []

  /// - Parameter inserted: the states that are asked for and were not recorded.
  init(
    session: Int64, controllers: [ControllerRecord], names: [Int32: String],
    inserted: [StateName], firstSeq: Int64
  ) {
    self.names = names
    lastName = names.keys.max() ?? 0
    base = firstSeq &- 1
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
  /// - Parameter recorded: the recorded number of its visit.
  mutating func note(
    _ event: borrowing TransitionEvent, of controller: Int32, recorded: UInt32?, at time: Int64
  ) {
    var row = EventRow(
      seq: seq(event.number), time: time, kind: event.kind,
      reason: EventReason(event.detail)?.code ?? 0, controller: controller,
      visit: event.visit?.rawValue ?? 0, cause: event.cause == 0 ? 0 : seq(event.cause))
    if let state = event.state { row.state = number(learning: state) }
    var detail: EventDetail?
    if case .request(let request) = event.detail {
      var asked = EventDetail(seq: row.seq)
      asked.origin = request.origin?.rawValue ?? 0
      asked.priority = request.request.priority
      detail = asked
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

  /// What happened under a number, as the recording would name it.
  func moment(_ number: UInt64) -> Moment? { moments[number] }

  /// Nothing is under way: all numbers that were drawn have come.
  mutating func flush() {
    waiting.sort { $0.row.seq < $1.row.seq }
    for (row, detail) in waiting {
      rows.append(row)
      checker.take(row, detail)
    }
    waiting.removeAll(keepingCapacity: true)
    findings += checker.drain()
  }

  private mutating func add(_ row: EventRow, _ detail: EventDetail?) {
    count += 1
    waiting.append((row, detail))
    guard let kind = EventKind(rawValue: row.kind) else { return }
    // Of some controllers nothing tells more than that somebody is in.
    if kind.side == .output || kind == .entered { deciding.insert(row.controller) }
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

  /// What the rules say of everything.
  ///
  /// - Parameters:
  ///   - end: when the recording ended.
  ///   - isOver: whether it came to its end; else what only the end shows is not judged.
  ///   - isSettled: whether a finding's controller had all its answers: for it nothing more comes,
  ///     however long anybody waits, while of others only so much was recorded.
  func allFindings(end: Int64, isOver: Bool, isSettled: (Finding) -> Bool) -> [Finding] {
    guard isOver else { return findings.sorted() }
    let last = max(end, rows.last?.time ?? end)
    let options = CheckOptions()
    let later = last.addingClamped(options.patience)
    let atOnce = checker.findingsAtEnd(lastTime: last).filter { !isSettled($0) }
    let inAWhile = checker.findingsAtEnd(lastTime: later).filter(isSettled)
    return (findings + atOnce + inAWhile).sorted()
  }
}
