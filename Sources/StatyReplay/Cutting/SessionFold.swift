import Staty
package import StatyHistory

/// Follows a session from its beginning, so that it can be said where its controllers stand where
/// its oldest events are to be cut off.
///
/// Its memory follows the controllers that are recorded and their open visits.
package struct SessionFold {
  private let session: Int64
  private var names = RecordedNames([:])
  private var lastName: Int32 = 0
  private var controllers: [Int32: FoldedController] = [:]
  /// Those of which nothing can be said any more.
  private var unknown: Set<Int32> = []
  /// Those of which the file does not say yet what is so now.
  private var changed: Set<Int32> = []
  private var over: Set<Int32> = []
  /// The next event to be taken in.
  private var next: Int64

  /// How far beyond a cut it is looked for a moment at which a controller has nothing in hand.
  private static let mostAhead: Int64 = 16_384

  /// A fold that stands where the session's beginning is, or was cut off.
  package init(_ reader: HistoryReader, session id: Int64) throws(HistoryError) {
    session = id
    let record = try reader.session(id)
    next = record.keptSeq
    for controller in try reader.controllers(session: id) {
      guard let cut = controller.cut else { continue }
      switch cut.standing {
      case .over: break
      case .unknown: unknown.insert(controller.id)
      case .known: begin(controller, after: cut.since - 1, time: cut.time)
      }
    }
  }

  /// Takes in the events up to one, and says where the controllers stand whose events were among
  /// them.
  ///
  /// Every number between must be stored or recorded as lost.
  ///
  /// - Parameter insists: whether a controller that has something in hand, and whose next events are
  ///   not stored yet, is given up.
  /// - Returns: none if there is such a controller, unless it insists; the fold is of no use then.
  package mutating func advance(
    _ reader: HistoryReader, through last: Int64, insists: Bool = true
  ) throws(HistoryError) -> [ControllerAtCut]? {
    try learn(reader)
    var time: Int64 = 0
    var events = try RecordedEvents(reader, session: session, from: next, through: last)
    while let event = events.next {
      while events.takeLoss() != nil { lose() }
      try take(event, reader)
      time = event.row.time
      try events.advance()
    }
    while events.takeLoss() != nil { lose() }
    next = last + 1
    let busy = try look(beyond: last, reader)
    if !busy.isEmpty, !insists { return nil }
    for id in busy { forget(id) }
    defer {
      changed = []
      over = []
    }
    return changed.sorted().map { at(next, time, $0) }
  }

  /// Where a controller stands at a cut before this number.
  private func at(_ seq: Int64, _ time: Int64, _ id: Int32) -> ControllerAtCut {
    if over.contains(id) {
      return ControllerAtCut(controller: id, cut: ControllerCut(.over, since: seq, time: time))
    }
    guard let controller = controllers[id], let snapshot = controller.snapshot else {
      return ControllerAtCut(controller: id, cut: ControllerCut(.unknown, since: seq, time: time))
    }
    // It may have been followed beyond the cut.
    let isBeyond = controller.through >= seq
    let cut = ControllerCut(
      .known, since: isBeyond ? controller.through + 1 : seq,
      time: isBeyond ? controller.time : time)
    return ControllerAtCut(controller: id, cut: cut, snapshot: snapshot.text)
  }
}

extension SessionFold {
  private mutating func take(
    _ event: RecordedEvent, _ reader: HistoryReader
  ) throws(HistoryError) {
    let id = event.row.controller
    if id == 0 { return }
    switch event.kind {
    case .attached:
      changed.insert(id)
      guard let record = try reader.controllers(session: session, after: id - 1).first,
        record.id == id
      else { return }
      begin(record, after: event.row.seq, time: event.row.time)
    case .detached:
      changed.insert(id)
      over.insert(id)
      controllers[id] = nil
      unknown.remove(id)
    default:
      guard let controller = controllers[id] else {
        if !over.contains(id), unknown.insert(id).inserted { changed.insert(id) }
        return
      }
      guard event.row.seq > controller.through else { return }
      changed.insert(id)
      controller.take(event, names: names)
      if !controller.isKnown { forget(id) }
    }
  }

  // Where an app's own controllers stand cannot be told from outside.
  private static var registry: ControllerRegistry { ControllerRegistry() }

  private mutating func begin(_ record: ControllerRecord, after seq: Int64, time: Int64) {
    guard record.comparability.hasCauses, let snapshot = SnapshotRecord(record.snapshot),
      case .policy(let make) = Self.registry[record.policy]
    else {
      unknown.insert(record.id)
      return
    }
    controllers[record.id] = FoldedController(
      make(PolicySnapshot(snapshot)), record, snapshot, after: seq, time: time)
  }

  private mutating func forget(_ id: Int32) {
    controllers[id] = nil
    unknown.insert(id)
    changed.insert(id)
  }

  /// Whose events are missing cannot be known.
  private mutating func lose() {
    for id in controllers.keys { forget(id) }
  }

  /// Follows those who have something in hand until they have not.
  ///
  /// - Returns: who has for too long, or whose next events are not there.
  private mutating func look(
    beyond last: Int64, _ reader: HistoryReader
  ) throws(HistoryError) -> Set<Int32> {
    var busy = Set(controllers.filter { $0.value.isAtWork }.keys)
    if busy.isEmpty { return busy }
    var events = try RecordedEvents(
      reader, session: session, from: last + 1, through: last + Self.mostAhead)
    var due = last + 1
    while let event = events.next, !busy.isEmpty, event.row.seq == due {
      let id = event.row.controller
      if busy.contains(id) {
        if event.kind == .detached || event.kind == .attached { break }
        if event.row.seq > controllers[id]?.through ?? 0 { try take(event, reader) }
        if controllers[id]?.isAtWork != true { busy.remove(id) }
      }
      due += 1
      try events.advance()
    }
    return busy
  }

  private mutating func learn(_ reader: HistoryReader) throws(HistoryError) {
    let last = try reader.lastName()
    guard last != lastName else { return }
    names = RecordedNames(try reader.names())
    lastName = last
  }
}
