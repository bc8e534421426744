import CStatyRing
import Staty
import StatyHistory

/// Turns what stands in a session's ring into what stands in the file: the ring's numbers of
/// names, places, controllers and events into the file's.
struct RingTranslator {
  private(set) var session: Int64
  private(set) var firstSeq: Int64
  /// Where in the ring the session begins.
  private(set) var point: RingPoint
  /// Nanoseconds of the records' clock when the process began to record.
  private let runBegan: UInt64
  private var began: UInt64
  // The file's numbers by the ring's, which are small: asked three times an event.
  private var names = Numbers()
  private var sites = Numbers()
  private var controllers = Numbers()
  private var details: [UInt64: EventDetail] = [:]
  private(set) var newAliases: [Alias] = []

  /// A table from the ring's numbers to the file's; 0 where nothing is known.
  private struct Numbers {
    private var ids: [Int32] = []
    // A number that no recorder comes to must not make a table of its length.
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

    /// The file's numbers have changed to these.
    mutating func replace(by new: [Int32: Int32]) {
      for index in ids.indices { ids[index] = new[ids[index]] ?? 0 }
      far = far.mapValues { new[$0] ?? 0 }
    }
  }

  /// - Parameters:
  ///   - firstSeq: the number in the file of the session's first event.
  ///   - point: where in the ring the session begins; by default with the ring's first number.
  ///   - began: nanoseconds of the records' clock when the process began to record.
  ///   - aliases: what is known of the ring's numbers already.
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

  /// Goes on in a session that continues this one.
  mutating func goOn(in next: Continuation) {
    (session, firstSeq, point) = (next.session, next.firstSeq, next.point)
    beginTime()
    controllers.replace(by: next.controllers)
  }

  private mutating func beginTime() { began = began(at: point) }

  /// Nanoseconds of the records' clock at a point of the ring.
  func began(at point: RingPoint) -> UInt64 {
    runBegan &+ UInt64(clamping: point.time) &* 1_000
  }

  /// Microseconds from the session's beginning to a time of the records' clock.
  func time(at nanoseconds: UInt64) -> Int64 {
    nanoseconds > began ? Int64((nanoseconds - began) / 1_000) : 0
  }

  /// How many numbers the session has drawn when the ring has drawn so many.
  func observed(_ drawn: UInt64) -> Int64 {
    max(0, seq(drawn) &- firstSeq &+ 1)
  }

  /// Takes in notes, in the order in which they were noted.
  ///
  /// The same ones may come again.
  mutating func takeIn(_ entries: [LogEntry], _ writer: HistoryWriter) throws(HistoryError) {
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
      case .detail(let event, let noted): takeIn(noted, event)
      case .payload(let event, let text): change(event) { $0.payload = Array(text.utf8) }
      case .mark(let event, let text): change(event) { $0.note = text }
      }
    }
  }

  /// The row of a record; its detail, if it has one, is added to the others.
  ///
  /// If the record's controller, state or site is not known, the row has the rest.
  mutating func translate(_ record: RingRecord, _ found: inout [EventDetail]) -> EventRow {
    var row = EventRow(
      seq: seq(record.number),
      time: time(at: record.time),
      kind: EventKind(rawValue: record.kind) ?? .mark, reason: record.reason,
      thread: UInt8(clamping: record.thread), visit: record.visit)
    // A reader would take the whole file for damaged.
    if row.reason != 0, !row.hasKnownReason { row.reason = 0 }
    row.set(
      record.part, of: seq(record, less: record.inside), cause: seq(record, less: record.cause))
    row.controller = controllers[record.controller]
    row.state = names[record.state]
    if record.kind == EventKind.enqueued.rawValue { row.site = sites[record.site] }
    // A visit's object is said once, where it was asked for, or put on a path.
    let step = record.kind == EventKind.resumed.rawValue ? record.instance : 0
    let saysObject =
      record.kind == EventKind.enqueued.rawValue || record.kind == EventKind.moved.rawValue
    let hasInstance = saysObject && record.instance != 0 && record.instance != record.visit
    if hasInstance || step != 0 || record.origin != 0
      || record.flags & ~UInt16(STATY_RECORD_PART_MASK) != 0
    {
      found.append(detail(of: record, hasInstance, step))
    }
    return row
  }

  // Without a trap: notes of a killed process may speak of any event.
  func seq(_ number: UInt64) -> Int64 { point.shift &+ Int64(truncatingIfNeeded: number) }

  /// The event that is so far before that of a record; 0 if there can be none.
  private func seq(_ record: RingRecord, less distance: UInt32) -> Int64 {
    if distance == 0 || UInt64(distance) >= record.number { return 0 }
    let number = record.number - UInt64(distance)
    // Of what lies before the session only that is said.
    return number <= UInt64(clamping: point.drawn) ? max(0, firstSeq &- 1) : seq(number)
  }

  private mutating func detail(
    of record: RingRecord, _ hasInstance: Bool, _ step: UInt32
  ) -> EventDetail {
    let noted = details.isEmpty ? nil : details.removeValue(forKey: record.number)
    var detail = noted ?? EventDetail(seq: seq(record.number))
    if hasInstance { detail.instance = record.instance }
    detail.step = step
    detail.origin = record.origin
    if record.flags & UInt16(STATY_RECORD_PAYLOAD_LEFT_OUT) != 0 {
      detail.payload = EventDetail.payloadLeftOut
    }
    return detail
  }

  /// Whether something was noted of events that have not come.
  var awaitsRecords: Bool { !details.isEmpty }

  /// The events of these could not be stored: they will be translated again.
  mutating func takeBack(_ details: [EventDetail]) {
    for detail in details { self.details[UInt64(bitPattern: detail.seq &- point.shift)] = detail }
  }

  /// Nothing is under way: what was noted of events that have not come was noted of lost ones.
  mutating func forgetDetails() {
    details.removeAll()
  }

  /// The new aliases have been stored.
  mutating func settleAliases() {
    newAliases.removeAll(keepingCapacity: true)
  }

  /// The file was let go of before it had the numbers that were given last.
  mutating func forgetUnsettledAliases() {
    for alias in newAliases { set(Alias(kind: alias.kind, number: alias.number, id: 0)) }
    settleAliases()
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

  private mutating func takeIn(_ noted: NotedDetail, _ event: UInt64) {
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
