import Staty
import StatyHistory

@testable import StatyRules

/// Records a controller's events in memory.
final class Witness: TransitionObserver {
  private(set) var history: RecordedHistory
  private let clock: ManualClock
  /// The visits that are reported before the first event.
  private var stood: PolicySnapshot?
  private let began: Int64
  /// The difference between the recorded numbers and those of the events.
  private let shift: Int64

  init(_ source: EventSource, clock: ManualClock) {
    self.clock = clock
    let snapshot = source.snapshot
    history = RecordedHistory(opening: ControllerOpening(snapshot, id: 1))
    stood = snapshot.standing
    began = clock.microseconds
    shift = Int64(snapshot.standing.stood.count)
    source.add(self)
  }

  func observe(_ event: borrowing TransitionEvent) {
    begin(at: Int64(event.number))
    var row = EventRow(
      seq: Int64(event.number) + shift, time: clock.microseconds, kind: event.kind,
      reason: EventReason(event.detail, of: event.kind)?.code ?? 0, controller: 1,
      visit: event.visit?.rawValue ?? 0, cause: event.cause == 0 ? 0 : Int64(event.cause) + shift)
    if let state = event.state { row.state = history.number(of: state.description) }
    history.rows.append(row)
    if case .request(let request) = event.detail {
      var detail = EventDetail(seq: row.seq)
      detail.origin = request.origin?.rawValue ?? 0
      detail.priority = request.request.priority
      history.details[row.seq] = detail
    }
  }
}

extension Witness {
  /// Adds the visits that were open, before the first event.
  private func begin(at first: Int64) {
    guard let stood = stood?.stood else { return }
    self.stood = nil
    for (index, one) in stood.enumerated() {
      let seq = first + Int64(index)
      history.rows.append(
        EventRow(
          seq: seq, time: began, kind: .stood, reason: one.reason.code, controller: 1,
          visit: one.request.visit.rawValue,
          state: history.number(of: one.request.state.description)))
      if one.request.priority != 0 {
        history.details[seq] = EventDetail(seq: seq)
        history.details[seq]?.priority = one.request.priority
      }
    }
  }
}

extension ManualClock {
  var microseconds: Int64 {
    let (seconds, attoseconds) = now.components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  }
}

/// A history of one controller in memory.
struct RecordedHistory {
  var opening: ControllerOpening
  var rows: [EventRow] = []
  var details: [Int64: EventDetail] = [:]
  private(set) var names: [Int32: String] = [:]
  private var numbers: [String: Int32] = [:]
  /// Time that passes after the last event, in microseconds.
  var rest: Int64 = 0
  /// The number of the first event, even if that event is missing.
  var firstSeq: Int64?

  init(opening: ControllerOpening) {
    self.opening = opening
  }

  mutating func number(of name: String) -> Int32 {
    if let known = numbers[name] { return known }
    let number = Int32(names.count + 1)
    numbers[name] = number
    names[number] = name
    return number
  }

  func findings() -> [Finding] {
    var checker = SessionChecker(session: 1, firstSeq: firstSeq)
    checker.add(opening)
    checker.learn(names: names)
    for row in rows { checker.take(row, details[row.seq]) }
    return
      (checker.drain() + checker.findingsAtEnd(endTime: (rows.last?.time ?? 0) + rest, isCut: false))
      .sorted()
  }

  func words(_ findings: [Finding]) -> [String] {
    findings.map { "\($0.code.rawValue) \($0.seq): \($0.detail { names[$0] })" }
  }

  /// The history as lines to read.
  var lines: String {
    rows.map { row in
      "\(row.seq) \(row.time / 1_000)ms \(EventKind(rawValue: row.kind).map(\.text) ?? "?")"
        + "(\(row.reason)) #\(row.visit) \(names[row.state] ?? "") cause \(row.cause)"
    }.joined(separator: "\n")
  }

  /// The history as a recording of lower fidelity.
  func lowered(to fidelity: Fidelity) -> RecordedHistory {
    var lowered = self
    lowered.opening.fidelity = fidelity
    if fidelity == .threeKind {
      let kinds: Set<UInt8> = [
        EventKind.enqueued.rawValue, EventKind.entered.rawValue, EventKind.exited.rawValue,
        EventKind.stood.rawValue,
      ]
      lowered.rows.removeAll { !kinds.contains($0.kind) }
      lowered.renumber()
    }
    for index in lowered.rows.indices { lowered.rows[index].renameCauses { _ in 0 } }
    return lowered
  }

  /// Numbers the events anew, in their order and without gaps.
  mutating func renumber() {
    firstSeq = nil
    var numbers: [Int64: Int64] = [:]
    for (index, row) in rows.enumerated() { numbers[row.seq] = Int64(index + 1) }
    var renumbered: [Int64: EventDetail] = [:]
    for index in rows.indices {
      let old = rows[index].seq
      rows[index].seq = Int64(index + 1)
      rows[index].renameCauses { numbers[$0] ?? 0 }
      if var detail = details[old] {
        detail.seq = Int64(index + 1)
        renumbered[detail.seq] = detail
      }
    }
    details = renumbered
  }
}
