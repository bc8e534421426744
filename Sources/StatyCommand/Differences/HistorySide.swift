import Staty
import StatyHistory
import StatyReplay

/// One of two compared sessions, read event by event, up to the first that are missing.
final class HistorySide {
  /// An event with what its numbers mean.
  struct Event {
    let row: EventRow
    let state: String?
    let instance: UInt32
    /// The reason of a rejection; none if the recording did not keep it.
    let refusal: Refusal?
    let key: ControllerKey

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
  let policies: [ControllerKey: String]
  /// The first missing events; what was recorded after them is not compared.
  let gap: LossRecord?
  private var events: SessionEvents

  init(
    _ session: SessionRecord, of history: OpenHistory,
    where means: (ControllerRecord?) -> Bool
  ) throws {
    self.history = history
    self.session = session
    words = try EventWords(history.reader, session: session.id)
    let compared = try history.reader.controllers(session: session.id).filter(means)
    let keys = ControllerKey.all(compared)
    self.keys = keys
    policies = Dictionary(
      compared.compactMap { one in keys[one.id].map { ($0, one.policy.visible) } },
      uniquingKeysWith: { first, _ in first })
    events = try SessionEvents(history.reader, session: session)
    gap = events.losses.first
  }

  /// The next event of a compared controller; none after the last.
  func next() throws -> Event? {
    while let row = try events.next(), row.seq < gap?.firstSeq ?? .max {
      guard let key = keys[row.controller] else { continue }
      let saying = events.detail
      return Event(
        row: row, state: words.names[row.state], instance: saying?.instance ?? 0,
        refusal: saying.flatMap { detail in
          Refusal(detail) { words.names[$0].map { StateName($0) } }
        }, key: key)
    }
    return nil
  }

  /// The events of a controller around one of its events.
  func rows(of key: ControllerKey, around seq: Int64, before: Int, from: Int) throws -> [EventRow] {
    try history.reader.events(around: seq, session: session.id, before: before, from: from) {
      keys[$0.controller] == key
    }
  }
}

/// The same controller of two sessions: the name, and how many of that name were attached before.
struct ControllerKey: Hashable, Comparable {
  let name: String
  let place: Int

  var called: String { place == 0 ? name.visible : "\(name.visible) (number \(place + 1))" }

  static func < (one: ControllerKey, other: ControllerKey) -> Bool {
    (one.name, one.place) < (other.name, other.place)
  }

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
