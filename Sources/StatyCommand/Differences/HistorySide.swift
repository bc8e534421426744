import Staty
import StatyHistory
import StatyReplay

/// The parts of an event that are the same in every run: not its time, number, thread or cause.
struct Meaning {
  let kind: UInt8
  let visit: UInt32
  let state: String?
  let reason: UInt8
  let instance: UInt32
  /// The reason of a rejection; none if the recording did not keep it.
  let refusal: Refusal?

  /// Whether another event means the same, where both are recorded.
  func isSame(as other: Meaning) -> Bool {
    kind == other.kind && visit == other.visit && state == other.state && reason == other.reason
      && instance == other.instance
      && (refusal == nil || other.refusal == nil || refusal == other.refusal)
  }
}

/// One of two compared sessions, read event by event.
final class HistorySide {
  /// An event with what it means.
  struct Event {
    let row: EventRow
    let meaning: Meaning
    let key: ControllerKey
    /// The gap in its controller's events before it; none if there is none up to here.
    let gap: Gap?
  }

  let history: OpenHistory
  let session: SessionRecord
  let words: EventWords
  let keys: [Int32: ControllerKey]
  /// The controllers that are compared.
  let controllers: [ControllerKey: ControllerRecord]
  /// Whether the session lacks events of any controller.
  let isPartial: Bool
  private var reach: LossReach
  private var begun: Set<Int32> = []
  private var events: SessionEvents

  init(
    _ session: SessionRecord, of history: OpenHistory,
    where means: (ControllerRecord?) -> Bool
  ) throws {
    self.history = history
    self.session = session
    words = try EventWords(history.reader, session: session.id)
    let compared = try history.reader.controllers(session: session.id).filter(means)
    keys = ControllerKey.all(compared)
    var controllers: [ControllerKey: ControllerRecord] = [:]
    for controller in compared {
      if let key = keys[controller.id] { controllers[key] = controller }
    }
    self.controllers = controllers
    events = try SessionEvents(history.reader, session: session)
    isPartial = !events.losses.isEmpty
    reach = LossReach(events.losses)
  }

  /// The next event of a controller; none after the last.
  ///
  /// Marks and gaps are no controller's.
  func next() throws -> Event? {
    while let row = try events.next() {
      guard let key = keys[row.controller] else { continue }
      let saying = events.detail
      let meaning = Meaning(
        kind: row.kind, visit: row.visit, state: words.names[row.state], reason: row.reason,
        instance: saying?.instance ?? 0,
        refusal: saying.flatMap { Refusal($0, naming: stateName) })
      return Event(row: row, meaning: meaning, key: key, gap: gap(before: row))
    }
    return nil
  }

  private func stateName(_ number: Int32) -> StateName? {
    words.names[number].map { StateName($0) }
  }

  private func gap(before row: EventRow) -> Gap? {
    if let loss = reach.take(row) { return .lost(loss) }
    guard begun.insert(row.controller).inserted, row.kind != EventKind.attached.rawValue else {
      return nil
    }
    return .noBeginning(seq: row.seq)
  }

  /// The gap behind a controller's last event, once all events were read.
  func gapAtEnd(of key: ControllerKey) -> Gap? {
    guard let id = controllers[key]?.id else { return nil }
    return reach.loss(of: id).map { .lost($0) }
  }
}

/// A gap in the events of a controller.
enum Gap {
  case lost(LossRecord)
  /// Its first event is not the beginning of a recording.
  case noBeginning(seq: Int64)

  /// The first missing number, or the first that exists again.
  var seq: Int64 {
    switch self {
    case .lost(let loss): loss.firstSeq
    case .noBeginning(let seq): seq
    }
  }

  /// Its code, for other programs.
  var reason: String {
    switch self {
    case .lost(let loss): loss.reason
    case .noBeginning: "no beginning"
    }
  }

  /// The gap in words, as in "in A, 3 events are missing at 18 (lane full)".
  var words: String {
    switch self {
    case .lost(let loss):
      "\(LossNote.missing(loss.count)) at \(loss.firstSeq) (\(loss.reason.visible))"
    case .noBeginning(let seq): "the beginning of its recording is missing before \(seq)"
    }
  }
}
