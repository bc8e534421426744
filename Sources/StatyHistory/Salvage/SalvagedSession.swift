/// A session of a damaged file.
struct SalvagedSession {
  var record: SessionRecord
  /// Whether its row is there; else it is put together from what stands elsewhere.
  var isWhole = true
  var payloadsLeftOut: Int64 = 0
  var anchors: [AnchorRecord] = []
  /// The checksum of its cut.
  var cutSum: UInt64 = 0
  /// What is said of it was sealed with this; none if it never was.
  private var seal: UInt64?

  /// The sessions in the order of their numbers.
  static func all(_ survey: PageSurvey) -> [SalvagedSession] {
    var sessions: [Int64: SalvagedSession] = [:]
    for row in survey.rows(of: .session) {
      if let session = SalvagedSession(row) { sessions[row.key] = session }
    }
    var anchors: [Int64: [AnchorRecord]] = [:]
    for entry in survey.entries(of: "anchor") where entry.count == 3 {
      let numbers = entry.compactMap(\.integer)
      guard numbers.count == 3 else { continue }
      anchors[numbers[0], default: []].append(AnchorRecord(time: numbers[1], wallTime: numbers[2]))
    }
    for session in indexed(survey, anchors) where sessions[session.record.id] == nil {
      sessions[session.record.id] = session
    }
    for row in survey.rows(of: .cut) {
      guard let said = row.numbers(1, 2, 3, 4) else { continue }
      sessions[row.key]?.record.cut = SessionCut(seq: said[0], events: said[1], time: said[2])
      sessions[row.key]?.cutSum = UInt64(bitPattern: said[3])
    }
    return inOrder(
      sessions.values.map { session in
        var session = session
        session.anchors = anchors[session.record.id] ?? []
        return session
      })
  }

  /// Each with where it ends; of two that say that they begin alike the second is left out.
  private static func inOrder(_ all: [SalvagedSession]) -> [SalvagedSession] {
    var sessions: [SalvagedSession] = []
    var uuids: Set<String> = []
    for session in all.sorted(by: {
      ($0.record.firstSeq, $0.record.id) < ($1.record.firstSeq, $1.record.id)
    }) {
      guard session.record.firstSeq > sessions.last?.record.firstSeq ?? 0,
        uuids.insert(session.record.uuid).inserted
      else { continue }
      if !sessions.isEmpty {
        sessions[sessions.count - 1].record.lastOwnSeq = session.record.firstSeq - 1
      }
      sessions.append(session)
    }
    for index in sessions.indices {
      let record = sessions[index].record
      guard let cut = record.cut else { continue }
      let isSound =
        cut.seq > record.firstSeq && cut.seq <= record.lastOwnSeq && cut.events >= 0
        && cut.events <= cut.seq - record.firstSeq
      if !isSound { sessions[index].record.cut = nil }
    }
    return sessions
  }

  private init?(_ row: StoredRow) {
    let texts = (1...4).compactMap { row.name(at: $0) }
    guard row.key > 0, texts.count == 4, !texts[0].isEmpty,
      let numbers = row.numbers(5, 6, 7, 9, 11, 12), let ended = row.name(at: 10),
      let pid = Int32(exactly: numbers[0]), numbers[2] > 0, numbers[2] < ImportedSession.mostSeq
    else { return nil }
    record = SessionRecord(
      id: row.key, uuid: texts[0], app: texts[1], appVersion: texts[2], os: texts[3], pid: pid,
      wallTime: numbers[1], firstSeq: numbers[2], lastSeq: row.values[8].integer,
      lastTime: numbers[3], ended: SessionEnd(rawValue: ended), observed: numbers[4],
      stored: numbers[5], lastOwnSeq: .max)
    if row.values.count > 13 { payloadsLeftOut = row.values[13].integer ?? 0 }
    if row.values.count > 14 { seal = row.values[14].integer.map { UInt64(bitPattern: $0) } }
  }

  /// The sessions of which two indexes say which they are and where they begin; of what they were the
  /// recording nothing is known.
  private static func indexed(
    _ survey: PageSurvey, _ anchors: [Int64: [AnchorRecord]]
  ) -> [SalvagedSession] {
    var firsts: [Int64: Int64] = [:]
    for entry in survey.entries(of: "sqlite_autoindex_session_2") where entry.count == 2 {
      if let first = entry[0].integer, let id = entry[1].integer { firsts[id] = first }
    }
    return survey.entries(of: "sqlite_autoindex_session_1").compactMap { entry in
      guard entry.count == 2, let uuid = entry[0].name, !uuid.isEmpty, let id = entry[1].integer,
        id > 0, let first = firsts[id], first > 0, first < ImportedSession.mostSeq
      else { return nil }
      let wall = anchors[id]?.first { $0.time == 0 }?.wallTime ?? 0
      return SalvagedSession(
        SessionRecord(
          id: id, uuid: uuid, app: "", appVersion: "", os: "", pid: 0, wallTime: wall,
          firstSeq: first, lastSeq: nil, lastTime: 0, ended: .crash, observed: 0, stored: 0,
          lastOwnSeq: .max))
    }
  }

  private init(_ record: SessionRecord) {
    self.record = record
    isWhole = false
  }
}

// What is said of it beside its events.
extension SalvagedSession {
  /// How much of that is as it was sealed.
  enum Sealed {
    case nothing
    /// The session, its losses and its clock.
    case session
    /// And its controllers.
    case controllers
  }

  func sealed(_ catalog: SalvagedCatalog) -> Sealed {
    guard let seal else { return .nothing }
    var sum = SessionSeal.part(record)
    for loss in catalog.losses
    where loss.firstSeq >= record.firstSeq && loss.firstSeq <= record.lastOwnSeq {
      sum &+= SessionSeal.part(loss, first: record.firstSeq)
    }
    for anchor in anchors { sum &+= SessionSeal.part(anchor) }
    let counts = SessionSeal.part(
      observed: record.observed, payloadsLeftOut: payloadsLeftOut, record.ended)
    let controllers = (catalog.controllers[record.id] ?? []).enumerated().reduce(0 as UInt64) {
      $0 &+ SessionSeal.part($1.element, ordinal: $1.offset, record.ended)
    }
    // While a session goes on its controllers are not sealed, and those of old ones never were.
    if record.ended != .open, seal == sum &+ counts &+ controllers { return .controllers }
    return seal == sum &+ counts || seal == sum ? .session : .nothing
  }
}
