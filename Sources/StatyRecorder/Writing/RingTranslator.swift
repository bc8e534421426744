import CStatyRing
import Staty
import StatyHistory

/// Turns what stands in a session's ring into what stands in the file: the ring's numbers of
/// names, places, controllers and events into the file's.
struct RingTranslator {
  let session: Int64
  /// What is added to an event's number in the ring.
  let base: Int64
  private let began: UInt64
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
  }

  /// - Parameters:
  ///   - firstSeq: the number in the file of the session's first event.
  ///   - began: nanoseconds of the records' clock at the session's beginning.
  ///   - aliases: what is known of the ring's numbers already.
  init(session: Int64, firstSeq: Int64, began: UInt64, aliases: [Alias] = []) {
    self.session = session
    self.began = began
    base = firstSeq - 1
    for alias in aliases { set(alias) }
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
      case .controller(let number, let name, let policy, let fidelity, let snapshot):
        let session = session
        let snapshot = SnapshotRecord(snapshot) == nil ? "" : snapshot
        try alias(.controller, number) { () throws(HistoryError) in
          try writer.addController(
            session: session, name: name.cutAsName, policy: policy.cutAsName, fidelity: fidelity,
            snapshot: snapshot)
        }
      case .detail(let event, let noted): takeIn(noted, event)
      case .payload(let event, let text): change(event) { $0.payload = Array(text.utf8) }
      case .mark(let event, let text): change(event) { $0.note = text }
      }
    }
  }

  /// The row of a record; its detail, if it has one, is added to the others.
  ///
  /// A record whose controller, state or place is not known keeps the rest of what it says.
  mutating func translate(_ record: RingRecord, _ found: inout [EventDetail]) -> EventRow {
    var row = EventRow(
      seq: seq(record.number),
      time: record.time > began ? Int64((record.time - began) / 1_000) : 0,
      kind: EventKind(rawValue: record.kind) ?? .mark, reason: record.reason,
      thread: UInt8(clamping: record.thread), visit: record.visit)
    // By whoever wrote it; what reads the file would take the whole of it for damaged.
    if row.reason != 0, !row.hasKnownReason { row.reason = 0 }
    row.set(
      record.part, of: seq(record, less: record.inside), cause: seq(record, less: record.cause))
    row.controller = controllers[record.controller]
    row.state = names[record.state]
    if record.kind == EventKind.enqueued.rawValue { row.site = sites[record.site] }
    // A visit's object is said once, where it was asked for.
    let step = record.kind == EventKind.resumed.rawValue ? record.instance : 0
    let hasInstance =
      record.kind == EventKind.enqueued.rawValue && record.instance != 0
      && record.instance != record.visit
    if hasInstance || step != 0 || record.origin != 0
      || record.flags & ~UInt16(STATY_RECORD_PART_MASK) != 0
    {
      found.append(detail(of: record, hasInstance, step))
    }
    return row
  }

  // Without a trap: notes of a killed process may speak of any event.
  private func seq(_ number: UInt64) -> Int64 { base &+ Int64(truncatingIfNeeded: number) }

  /// The event that is so far before that of a record; 0 if there can be none.
  private func seq(_ record: RingRecord, less distance: UInt32) -> Int64 {
    distance == 0 || UInt64(distance) >= record.number ? 0 : seq(record.number - UInt64(distance))
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
    for detail in details { self.details[UInt64(bitPattern: detail.seq &- base)] = detail }
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
