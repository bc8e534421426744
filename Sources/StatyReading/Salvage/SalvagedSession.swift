import StatyHistory
/// Everything that a damaged file holds of a session besides its events.
struct SalvagedSession {
  var record: SessionRecord
  private(set) var payloadsLeftOut: Int64 = 0
  private(set) var anchors: [AnchorRecord] = []
  var controllers: [ControllerRecord] = []
  /// Its earlier losses.
  var losses: [LossRecord] = []
  /// The stored seal of the session; none if it is lost.
  private var seal: UInt64?

  /// Whether its seal confirms everything here.
  var isSealed: Bool {
    if seal == nil || record.ended == nil { return false }
    var sum = SessionSeal.part(record)
    sum &+= SessionSeal.part(observed: record.observed, payloadsLeftOut: payloadsLeftOut)
    for loss in losses { sum &+= SessionSeal.part(loss, first: record.firstSeq) }
    for anchor in anchors { sum &+= SessionSeal.part(anchor) }
    for (ordinal, controller) in controllers.enumerated() {
      sum &+= SessionSeal.part(controller, ordinal: ordinal)
    }
    return sum == seal
  }

  /// The sessions in the order of their numbers, each with its last number.
  ///
  /// - Returns: also the number of other sessions, which have impossible data.
  static func all(_ survey: PageSurvey) -> (sessions: [SalvagedSession], leftOut: Int) {
    var sessions: [Int64: SalvagedSession] = [:]
    var met: Set<Int64> = []
    for known in indexed(survey) {
      met.insert(known.record.id)
      sessions[known.record.id] = known
    }
    for row in survey.rows(of: .session) {
      met.insert(row.key)
      sessions[row.key] = SalvagedSession(row)
    }
    for entry in survey.entries(of: "anchor") where entry.count == 3 {
      let numbers = entry.compactMap(\.integer)
      guard numbers.count == 3 else { continue }
      sessions[numbers[0]]?.anchors.append(AnchorRecord(time: numbers[1], wallTime: numbers[2]))
    }
    let kept = inOrder(sessions.values)
    return (kept, met.count - kept.count)
  }

  /// The sessions in order.
  ///
  /// Of two with the same beginning or the same name, the second is left out.
  private static func inOrder(_ all: some Sequence<SalvagedSession>) -> [SalvagedSession] {
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
    return sessions
  }

  private init?(_ row: StoredRow) {
    let texts = (1...4).compactMap { row.name(at: $0) }
    guard row.key > 0, texts.count == 4, !texts[0].isEmpty,
      let numbers = row.numbers(5, 6, 7, 9, 11, 12), let ended = row.name(at: 10),
      let pid = Int32(exactly: numbers[0]), numbers[2] > 0, numbers[2] < ImportedSession.mostSeq
    else { return nil }
    let opening = SessionOpening(
      uuid: texts[0], app: texts[1], appVersion: texts[2], os: texts[3], pid: pid,
      wallTime: numbers[1], run: row.name(at: 17))
    record = SessionRecord(id: row.key, opening, firstSeq: numbers[2])
    record.lastSeq = row.values[8].integer
    (record.lastTime, record.endTime) = (numbers[3], numbers[3])
    record.ended = SessionEnd(rawValue: ended)
    (record.observed, record.stored) = (numbers[4], numbers[5])
    payloadsLeftOut = row.values[13].integer ?? 0
    seal = row.values[14].integer.map { UInt64(bitPattern: $0) }
  }

  /// The sessions with a name and a beginning that are found in two indexes; their apps are not
  /// known.
  private static func indexed(_ survey: PageSurvey) -> [SalvagedSession] {
    var firsts: [Int64: Int64] = [:]
    for entry in survey.entries(of: "sqlite_autoindex_session_2") where entry.count == 2 {
      if let first = entry[0].integer, let id = entry[1].integer { firsts[id] = first }
    }
    return survey.entries(of: "sqlite_autoindex_session_1").compactMap { entry in
      guard entry.count == 2, let uuid = entry[0].name, !uuid.isEmpty, let id = entry[1].integer,
        id > 0, let first = firsts[id], first > 0, first < ImportedSession.mostSeq
      else { return nil }
      return SalvagedSession(
        record: SessionRecord(
          id: id, SessionOpening(uuid: uuid, app: "", appVersion: "", os: "", pid: 0, wallTime: 0),
          firstSeq: first))
    }
  }

  private init(record: SessionRecord) { self.record = record }
}
