import Staty
import StatyHistory
import StatyReplay

/// One of two compared sessions, read event by event.
final class HistorySide {
  /// An event with what its numbers mean.
  struct Event {
    let row: EventRow
    let state: String?
    let instance: UInt32
    /// The reason of a rejection; none if the recording did not keep it.
    let refusal: Refusal?
    let key: ControllerKey
    /// The gap in its controller's events before it; none if there is none up to here.
    let gap: Gap?

    /// Whether another event says the same, where both are recorded, besides what differs in every
    /// run: time, number, thread and cause.
    func isSame(as other: Event) -> Bool {
      row.kind == other.row.kind && row.visit == other.row.visit && state == other.state
        && row.reason == other.row.reason && instance == other.instance
        && (refusal == nil || other.refusal == nil || refusal == other.refusal)
    }
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
      return Event(
        row: row, state: words.names[row.state], instance: saying?.instance ?? 0,
        refusal: saying.flatMap { Refusal($0, naming: stateName) }, key: key,
        gap: gap(before: row))
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

/// What identifies a controller in two histories: its name, and its number among those with that
/// name.
struct ControllerKey: Hashable, Comparable {
  let name: String
  let place: Int

  var called: String { place == 0 ? name.visible : "\(name.visible) (number \(place + 1))" }

  static func < (one: ControllerKey, other: ControllerKey) -> Bool {
    (one.name, one.place) < (other.name, other.place)
  }

  /// The keys of a session's controllers by their numbers in the file.
  static func all(_ controllers: [ControllerRecord]) -> [Int32: ControllerKey] {
    var seen: [String: Int] = [:]
    var keys: [Int32: ControllerKey] = [:]
    for controller in controllers {
      let place = seen[controller.name, default: 0]
      seen[controller.name] = place + 1
      keys[controller.id] = ControllerKey(name: controller.name, place: place)
    }
    return keys
  }
}
