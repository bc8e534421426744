import CStatyRing
import Staty
import StatyHistory

/// Turns records of the ring into rows of the file.
///
/// The ring and the file number names, call sites, controllers and events differently.
struct RingTranslator {
  private(set) var session: Int64
  private(set) var firstSeq: Int64
  /// The session's beginning in the ring.
  private(set) var point: RingPoint
  /// The time at which the process began to record, in nanoseconds of the records' clock.
  private let runBegan: UInt64
  private var began: UInt64
  // From the ring's numbers to the file's.
  private var names = Numbers()
  private var sites = Numbers()
  private var controllers = Numbers()
  private var details: [UInt64: EventDetail] = [:]
  /// The numbers that are not stored in the file yet.
  private var newAliases: [Alias] = []

  /// A table from the ring's numbers to the file's; 0 for unknown numbers.
  ///
  /// An array, because each event needs three look-ups.
  private struct Numbers {
    private var ids: [Int32] = []
    // In a damaged ring, a number may be huge. It must not make the array as long.
    private var far: [UInt32: Int32] = [:]
    private static let near: UInt32 = 1 << 20

    subscript(number: UInt32) -> Int32 {
      get {
        if number < ids.count { return ids[Int(number)] }
        return far.isEmpty ? 0 : far[number, default: 0]
      }
      set {
        guard number < Self.near else { return far[number] = newValue }
        while ids.count <= number { ids.append(0) }
        ids[Int(number)] = newValue
      }
    }

    /// Replaces each of the file's numbers by its new one.
    mutating func replace(by new: [Int32: Int32]) {
      for index in ids.indices { ids[index] = new[ids[index]] ?? 0 }
      far = far.mapValues { new[$0] ?? 0 }
    }
  }

  /// - Parameters:
  ///   - firstSeq: the number of the session's first event in the file.
  ///   - point: the session's beginning in the ring; by default the ring's first number.
  ///   - began: the time at which the process began to record, in nanoseconds of the records' clock.
  ///   - aliases: the numbers that are stored in the file already.
  init(
    session: Int64, firstSeq: Int64, point: RingPoint? = nil, began: UInt64, aliases: [Alias] = []
  ) {
    self.session = session
    self.firstSeq = firstSeq
    self.point = point ?? RingPoint(drawn: 0, shift: firstSeq &- 1, time: 0)
    runBegan = began
    self.began = 0
    beginTime()
    for alias in aliases { set(alias) }
  }

  /// From now on, translates for the session that continues this one.
  mutating func `continue`(in next: Continuation) {
    (session, firstSeq, point) = (next.session, next.firstSeq, next.point)
    beginTime()
    controllers.replace(by: next.controllers)
  }

  private mutating func beginTime() { began = began(at: point) }

  /// The time of a point of the ring, in nanoseconds of the records' clock.
  func began(at point: RingPoint) -> UInt64 {
    runBegan &+ UInt64(clamping: point.time) &* 1_000
  }

  /// The microseconds from the session's beginning to a time of the records' clock.
  func time(at nanoseconds: UInt64) -> Int64 {
    nanoseconds > began ? Int64((nanoseconds - began) / 1_000) : 0
  }

  /// The count of the session's numbers, when `drawn` is the last number of the ring.
  func observed(_ drawn: UInt64) -> Int64 {
    max(0, seq(drawn) &- firstSeq &+ 1)
  }

  /// Stores names, call sites and controllers in the file, and keeps details for their records.
  ///
  /// The entries must be in the ring's order. Applying an entry twice has no effect.
  mutating func apply(_ entries: [LogEntry], _ writer: HistoryWriter) throws(HistoryError) {
    for entry in entries {
      guard let note = Note(kind: entry.kind, id: entry.id, bytes: entry.bytes) else { continue }
      switch note {
      case .name(let number, let text):
        try alias(.name, number) { () throws(HistoryError) in
          try writer.intern(name: text.cutAsName)
        }
      case .site(let number, let file, let line):
        try alias(.site, number) { () throws(HistoryError) in
          try writer.intern(site: file.cutAsName, line: Int64(line))
        }
      case .controller(
        let number, let name, let policy, let discipline, let fidelity, let snapshot):
        let session = session
        let snapshot = SnapshotRecord(snapshot) == nil ? "" : snapshot
        try alias(.controller, number) { () throws(HistoryError) in
          try writer.addController(
            session: session, name: name.cutAsName, policy: policy.cutAsName,
            discipline: discipline,
            fidelity: fidelity, snapshot: snapshot)
        }
      case .detail(let event, let noted): apply(noted, event)
      case .payload(let event, let text): change(event) { $0.payload = Array(text.utf8) }
      case .mark(let event, let text): change(event) { $0.note = text }
      }
    }
  }

  /// Returns the row of a record, and appends its detail, if it has one, to `found`.
  ///
  /// If the record's controller, state or call site is unknown, the row has 0 in its place.
  mutating func translate(_ record: RingRecord, _ found: inout [EventDetail]) -> EventRow {
    var row = EventRow(
      seq: seq(record.number),
      time: time(at: record.time),
      kind: EventKind(rawValue: record.kind) ?? .mark, reason: record.reason,
      thread: UInt8(clamping: record.thread), visit: record.visit)
    // With an unknown reason, readers would refuse the whole file.
    if row.reason != 0, !row.hasKnownReason { row.reason = 0 }
    row.set(
      record.part, of: seq(record, less: record.inside), cause: seq(record, less: record.cause))
    row.controller = controllers[record.controller]
    row.state = names[record.state]
    if record.kind == EventKind.enqueued.rawValue { row.site = sites[record.site] }
    // A visit's object is stored once: with its request, with the move that put it on a path, or where it stood.
    let step = record.kind == EventKind.resumed.rawValue ? record.instance : 0
    let saysObject =
      record.kind == EventKind.enqueued.rawValue || record.kind == EventKind.moved.rawValue
      || record.kind == EventKind.stood.rawValue
    let hasInstance = saysObject && record.instance != 0 && record.instance != record.visit
    if hasInstance || step != 0 || record.origin != 0
      || record.flags & ~UInt16(STATY_RECORD_PART_MASK) != 0
    {
      found.append(detail(of: record, hasInstance, step))
    }
    return row
  }

  // Must not trap on overflow: the notes in a damaged ring may have any number.
  func seq(_ number: UInt64) -> Int64 { point.shift &+ Int64(truncatingIfNeeded: number) }

  /// The event at this distance before a record; 0 if there is none.
  private func seq(_ record: RingRecord, less distance: UInt32) -> Int64 {
    if distance == 0 || UInt64(distance) >= record.number { return 0 }
    let number = record.number - UInt64(distance)
    // All events before the session become the one before its first.
    return number <= UInt64(clamping: point.drawn) ? max(0, firstSeq &- 1) : seq(number)
  }

  private mutating func detail(
    of record: RingRecord, _ hasInstance: Bool, _ step: UInt32
  ) -> EventDetail {
    let noted = details.isEmpty ? nil : details.removeValue(forKey: record.number)
    var detail = noted ?? EventDetail(seq: seq(record.number))
    if hasInstance { detail.instance = record.instance }
    detail.step = step
    if record.kind == EventKind.moved.rawValue {
      detail.equality = record.origin == 0 ? nil : record.origin
    } else {
      detail.origin = record.origin
    }
    if record.flags & UInt16(STATY_RECORD_PAYLOAD_LEFT_OUT) != 0 {
      detail.payload = EventDetail.payloadLeftOut
    }
    return detail
  }

  /// Whether there are details of records that have not been read yet.
  var awaitsRecords: Bool { !details.isEmpty }

  /// Keeps the details again, because their events could not be stored and will be translated again.
  mutating func restore(_ details: [EventDetail]) {
    for detail in details { self.details[UInt64(bitPattern: detail.seq &- point.shift)] = detail }
  }

  /// Drops the kept details; call it when no event is in flight, because their events are lost then.
  mutating func forgetDetails() {
    details.removeAll()
  }

  /// Drops the kept details of events up to this number.
  mutating func forgetDetails(through number: UInt64) {
    details = details.filter { $0.key > number }
  }

  /// Stores the new aliases in the file, if there are any.
  mutating func storeAliases(_ writer: HistoryWriter) throws(HistoryError) {
    if newAliases.isEmpty { return }
    try writer.store(aliases: newAliases, session: session)
    newAliases.removeAll(keepingCapacity: true)
  }

  /// Call it if the file was closed before the new aliases were stored.
  mutating func forgetUnstoredAliases() {
    for alias in newAliases { set(Alias(kind: alias.kind, number: alias.number, id: 0)) }
    newAliases.removeAll(keepingCapacity: true)
  }

  private mutating func alias(
    _ kind: AliasKind, _ number: UInt32, _ find: () throws(HistoryError) -> Int32
  ) throws(HistoryError) {
    if id(kind, number) != 0 { return }
    let alias = Alias(kind: kind, number: number, id: try find())
    set(alias)
    newAliases.append(alias)
  }

  private mutating func set(_ alias: Alias) {
    switch alias.kind {
    case .name: names[alias.number] = alias.id
    case .site: sites[alias.number] = alias.id
    case .controller: controllers[alias.number] = alias.id
    }
  }

  private func id(_ kind: AliasKind, _ number: UInt32) -> Int32 {
    switch kind {
    case .name: names[number]
    case .site: sites[number]
    case .controller: controllers[number]
    }
  }

  private mutating func apply(_ noted: NotedDetail, _ event: UInt64) {
    let asked = names[noted.asked]
    let from = names[noted.refusedFrom]
    let needs = names[noted.refusedNeeds]
    change(event) { detail in
      detail.priority = noted.priority
      detail.answers = noted.answers
      detail.equality = noted.hasEquality == 1 ? noted.equality : nil
      detail.asked = asked
      detail.objection = noted.objection
      detail.refusal = noted.refusal
      detail.refusedFrom = from
      detail.refusedNeeds = needs
      detail.forgetUnknownCodes()
    }
  }

  private mutating func change(_ event: UInt64, _ body: (inout EventDetail) -> Void) {
    let seq = seq(event)
    body(&details[event, default: EventDetail(seq: seq)])
  }
}
