import StatyHistory

/// What an event says that is the same in every run: nothing of its time, its number, its thread
/// or its cause.
struct Meaning: Hashable {
  let kind: UInt8
  let visit: UInt32
  let state: String?
  let reason: UInt8
  let instance: UInt32
}

/// One of two sessions that are compared, gone through event by event.
final class HistorySide {
  /// An event with what it means.
  struct Event {
    let row: EventRow
    let meaning: Meaning
    let key: ControllerKey
  }

  let history: OpenHistory
  let session: SessionRecord
  let words: EventWords
  let keys: [Int32: ControllerKey]
  private let events: EventCursor
  private let details: DetailCursor
  private var detail: EventDetail?
  private let means: (ControllerRecord?) -> Bool

  init(
    _ session: SessionRecord, of history: OpenHistory,
    where means:
      @escaping (ControllerRecord?)
      -> Bool
  ) throws {
    self.history = history
    self.session = session
    self.means = means
    words = try EventWords(history.reader, session: session.id)
    keys = ControllerKey.all(try history.reader.controllers(session: session.id).filter(means))
    events = try history.reader.events(session: session.id)
    details = try history.reader.details(session: session.id)
    detail = try details.next()
  }

  /// The controllers that are compared.
  var controllers: [ControllerKey: ControllerRecord] {
    var controllers: [ControllerKey: ControllerRecord] = [:]
    for (id, key) in keys { controllers[key] = words.controllers[id] }
    return controllers
  }

  /// The next event of a controller; none after the last.
  ///
  /// Marks and gaps are no controller's.
  func next() throws -> Event? {
    while let row = try events.next() {
      while let known = detail, known.seq < row.seq { detail = try details.next() }
      guard let key = keys[row.controller] else { continue }
      let instance = detail?.seq == row.seq ? detail?.instance ?? 0 : 0
      let meaning = Meaning(
        kind: row.kind, visit: row.visit, state: words.names[row.state], reason: row.reason,
        instance: instance)
      return Event(row: row, meaning: meaning, key: key)
    }
    return nil
  }
}
