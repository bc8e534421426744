import Staty
import StatyHistory
import StatyRules

/// One device's recording, on a clock that only its life moves: nothing in it depends on when, or on
/// which machine, it is made.
final class FleetRecording {
  let clock = ManualClock()
  private let writer: HistoryWriter
  private let session: Int64
  private let numbering = Numbering()
  private var heard: [Hearing] = []
  private var rows: [EventRow] = []
  private var details: [EventDetail] = []
  private var states: [StateName: Int32] = [:]
  private var failure: HistoryError?

  /// Begins a history at `path` and its one session.
  init(at path: String, _ opening: SessionOpening) throws(HistoryError) {
    writer = try HistoryWriter(path: path)
    session = try writer.beginSession(opening)
  }

  /// Records a controller from now on.
  ///
  /// - Parameter other: a clock that this controller alone goes by, which stood still so far.
  func attach(
    to controller: some Recordable, as name: String, on other: ManualClock? = nil
  ) throws(HistoryError) {
    let source = controller.events
    let snapshot = source.snapshot
    let id = try writer.addController(
      session: session, name: name, policy: snapshot.policy.description,
      fidelity: snapshot.fidelity.rawValue, snapshot: SnapshotRecord(snapshot).text)
    let hearing = Hearing(self, source, id, name, on: other)
    heard.append(hearing)
    note(.attached, of: hearing)
    _ = source.share(numbering)
    source.add(hearing)
  }

  /// A clock that one controller went by has come to its end, and the recording goes on from there.
  func goOn(from other: ManualClock) {
    for hearing in heard where hearing.other === other { hearing.other = nil }
    clock.advance(by: other.now)
  }

  /// The number of the event at which something happened to a visit; none if it did not.
  func seq(of kind: EventKind, _ visit: UInt32, at controller: String) -> Int64? {
    guard let id = heard.first(where: { $0.name == controller })?.id else { return nil }
    return rows.last { $0.controller == id && $0.visit == visit && $0.kind == kind.rawValue }?.seq
  }

  /// Ends the session, lets the rules look at it, and closes the file.
  func close(_ end: SessionEnd) throws {
    for hearing in heard {
      hearing.source.remove(hearing)
      // Who crashes says no goodbye.
      if end == .clean { note(.detached, of: hearing) }
    }
    if let failure { throw failure }
    rows.sort { $0.seq < $1.seq }
    _ = try rows.withUnsafeBufferPointer { rows throws(HistoryError) in
      try writer.append(rows, details: details, to: session)
    }
    try writer.endSession(session, end)
    try FindingKeeper.checkAll(writer)
    try writer.close()
  }
}

// MARK: Events

extension FleetRecording {
  /// Microseconds since the session began.
  private func now(at hearing: Hearing) -> Int64 {
    let (seconds, attoseconds) = (clock.now + (hearing.other?.now ?? .zero)).components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  }

  private func note(_ kind: EventKind, of hearing: Hearing) {
    rows.append(
      EventRow(
        seq: Int64(numbering.next()), time: now(at: hearing), kind: kind, controller: hearing.id))
  }

  fileprivate func note(_ event: borrowing TransitionEvent, of hearing: Hearing) {
    var row = EventRow(
      seq: Int64(event.number), time: now(at: hearing), kind: event.kind,
      reason: EventReason(event.detail)?.code ?? 0, controller: hearing.id,
      visit: event.visit?.rawValue ?? 0)
    row.set(event) { Int64($0) }
    if let state = event.state { row.state = number(of: state) }
    var detail = EventDetail(seq: row.seq)
    switch event.detail {
    case .request(let asked):
      detail.origin = asked.origin?.rawValue ?? 0
      detail.priority = asked.request.priority
      detail.set(asked, of: event, number: number)
    case .step(let step): detail.step = step
    case .discard(.rejected(let refusal)): detail.set(refusal, number: number)
    default: break
    }
    rows.append(row)
    if detail != EventDetail(seq: row.seq) { details.append(detail) }
  }

  private func number(of state: StateName) -> Int32 {
    if let known = states[state] { return known }
    do throws(HistoryError) {
      let number = try writer.intern(name: state.description)
      states[state] = number
      return number
    } catch {
      failure = failure ?? error
      return 0
    }
  }
}

/// Hears what happens at one controller.
private final class Hearing: TransitionObserver {
  let source: EventSource
  let id: Int32
  let name: String
  /// The clock that this controller alone goes by; it is behind the recording's when it is over.
  var other: ManualClock?
  private unowned let recording: FleetRecording

  init(
    _ recording: FleetRecording, _ source: EventSource, _ id: Int32, _ name: String,
    on other: ManualClock?
  ) {
    (self.recording, self.source, self.id, self.name) = (recording, source, id, name)
    self.other = other
  }

  func observe(_ event: borrowing TransitionEvent) { recording.note(event, of: self) }
}
