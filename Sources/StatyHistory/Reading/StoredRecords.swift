import StatySQLite

extension Connection {
  /// The controllers of a session after one of them, in the order in which they were added.
  package func controllers(session: Int64, after last: Int32 = 0) throws -> [ControllerRecord] {
    let rows = try prepare(
      """
      SELECT c.id, n.text, p.text, c.discipline, c.fidelity, c.snapshot
      FROM controller c LEFT JOIN name n ON n.id = c.name LEFT JOIN name p ON p.id = c.policy
      WHERE c.session = ?1 AND c.id > ?2 ORDER BY c.id
      """, session, Int64(last))
    var controllers: [ControllerRecord] = []
    var order = ReadingOrder("the controllers of session \(session)")
    while try rows.step() {
      try order.check(rows.int64(at: 0))
      controllers.append(
        ControllerRecord(
          id: Int32(truncatingIfNeeded: rows.int64(at: 0)), session: session,
          name: try rows.string(at: 1) ?? "", policy: try rows.string(at: 2) ?? "",
          discipline: UInt8(clamping: rows.int64(at: 3)),
          fidelity: UInt8(clamping: rows.int64(at: 4)), snapshot: try rows.string(at: 5) ?? ""))
    }
    return controllers
  }

  /// The losses of a session, in the order of their numbers.
  ///
  /// - Parameters:
  ///   - last: the first number of a loss; only those after it are returned.
  ///   - most: how many are returned at most.
  package func losses(
    of session: SessionRecord, after last: Int64 = .min, atMost most: Int = .max
  ) throws -> [LossRecord] {
    let rows = try prepare(
      """
      SELECT first_seq, last_seq, count, reason FROM loss WHERE first_seq BETWEEN ?1 AND ?2
      ORDER BY first_seq LIMIT ?3
      """, max(session.firstSeq, last &+ 1), session.lastOwnSeq, Int64(most))
    var losses: [LossRecord] = []
    var order = ReadingOrder("the losses of session \(session.id)")
    try order.check(last)
    while try rows.step() {
      try order.check(rows.int64(at: 0))
      losses.append(try LossRecord(rows))
    }
    return losses
  }

  /// The sessions in the order of their events' numbers.
  package func sessions() throws -> [SessionRecord] {
    var sessions = try records(Self.select(next: "NULL"))
    for index in sessions.indices.dropFirst() {
      sessions[index - 1].lastOwnSeq = sessions[index].firstSeq - 1
    }
    return sessions
  }

  /// The sessions of one process, in the order of their events' numbers.
  func sessions(ofRun uuid: String) throws -> [SessionRecord] {
    try records(Self.select(next: Self.nextInTable) + " WHERE s.uuid = ?1 OR s.run = ?1", uuid)
  }

  /// The sessions that have not ended, in the order of their events' numbers.
  func openSessions() throws -> [SessionRecord] {
    try records(Self.select(next: Self.nextInTable) + " WHERE s.ended = 'open'")
  }

  /// The session with this number, if there is one.
  package func sessionIfKnown(_ id: Int64) throws -> SessionRecord? {
    let next = "(SELECT min(n.first_seq) FROM session n WHERE n.first_seq > s.first_seq)"
    let rows = try prepare(Self.select(next: next) + " WHERE s.id = ?1", id)
    return try rows.step() ? try SessionRecord(rows) : nil
  }

  private static let nextInTable =
    "(SELECT min(n.first_seq) FROM session n NOT INDEXED WHERE n.first_seq > s.first_seq)"

  /// The SQL for sessions, in the order of the table: a damaged index may lead to one session again and again.
  ///
  /// - Parameter next: the SQL for the beginning of the next session.
  private static func select(next: String) -> String {
    """
    SELECT s.id, uuid, app, app_version, os, pid, wall_us, first_seq, last_seq, last_us, ended,
      observed, stored, rules, judged_us, run, \(next),
      (SELECT max(t_us) FROM anchor a WHERE a.session = s.id)
    FROM session s NOT INDEXED
    """
  }

  private func records(_ sql: String, _ values: (any SQLValue)...) throws -> [SessionRecord] {
    let rows = try prepare(sql, values)
    var sessions: [SessionRecord] = []
    var order = ReadingOrder("the sessions")
    while try rows.step() {
      try order.check(rows.int64(at: 0))
      sessions.append(try SessionRecord(rows))
    }
    return sessions.sorted { $0.firstSeq < $1.firstSeq }
  }

  /// The session with this number.
  package func session(_ id: Int64) throws -> SessionRecord {
    guard let session = try sessionIfKnown(id) else { throw HistoryError.noSession(id) }
    return session
  }
}

extension SessionRecord {
  fileprivate init(_ rows: Statement) throws {
    let opening = SessionOpening(
      uuid: try rows.string(at: 1) ?? "", app: try rows.string(at: 2) ?? "",
      appVersion: try rows.string(at: 3) ?? "", os: try rows.string(at: 4) ?? "",
      pid: Int32(truncatingIfNeeded: rows.int64(at: 5)), wallTime: rows.int64(at: 6),
      run: try rows.string(at: 15))
    self.init(id: rows.int64(at: 0), opening, firstSeq: rows.int64(at: 7))
    lastSeq = rows.isNull(at: 8) ? nil : rows.int64(at: 8)
    lastTime = rows.int64(at: 9)
    endTime = max(lastTime, rows.int64(at: 17))
    ended = SessionEnd(rawValue: try rows.string(at: 10) ?? "")
    (observed, stored) = (rows.int64(at: 11), rows.int64(at: 12))
    edition = rows.isNull(at: 13) ? nil : Int(rows.int64(at: 13))
    judgedTime = rows.isNull(at: 14) ? nil : rows.int64(at: 14)
    if !rows.isNull(at: 16) { lastOwnSeq = rows.int64(at: 16) - 1 }
  }
}

extension HistoryReader {
  /// The text of a name; none if the number stands for nothing.
  package func name(_ number: Int32) throws(HistoryError) -> String? {
    try asHistoryError {
      let rows = try connection.prepare("SELECT text FROM name WHERE id = ?1", Int64(number))
      return try rows.step() ? try rows.string(at: 0) : nil
    }
  }

  /// The highest number of a name; 0 if there is none.
  package func lastName() throws(HistoryError) -> Int32 {
    try asHistoryError {
      let rows = try connection.prepare("SELECT max(id) FROM name")
      return try rows.step() ? Int32(clamping: rows.int64(at: 0)) : 0
    }
  }

  /// All names by their numbers.
  package func names() throws(HistoryError) -> [Int32: String] {
    if let names = steady?.names { return names }
    return try asHistoryError {
      let rows = try connection.prepare("SELECT id, text FROM name")
      var names: [Int32: String] = [:]
      while try rows.step() {
        guard let number = Int32(exactly: rows.int64(at: 0)) else { continue }
        names[number] = try rows.string(at: 1)
      }
      steady?.names = names
      return names
    }
  }

  /// The names of the states of all visits, sorted.
  package func stateNames() throws(HistoryError) -> [String] {
    try asHistoryError {
      let rows = try connection.prepare(
        "SELECT text FROM name WHERE id IN (SELECT state FROM visit) ORDER BY text")
      var names: [String] = []
      while try rows.step() { names.append(try rows.string(at: 0) ?? "") }
      return names
    }
  }

  /// All places in the code by their numbers.
  package func sites() throws(HistoryError) -> [Int32: SiteRecord] {
    if let sites = steady?.sites { return sites }
    return try asHistoryError {
      let rows = try connection.prepare("SELECT id, file, line FROM site")
      var sites: [Int32: SiteRecord] = [:]
      while try rows.step() {
        guard let number = Int32(exactly: rows.int64(at: 0)) else { continue }
        sites[number] = SiteRecord(file: try rows.string(at: 1) ?? "", line: rows.int64(at: 2))
      }
      steady?.sites = sites
      return sites
    }
  }

  /// The losses of a session, in the order of their numbers.
  package func losses(session: Int64) throws(HistoryError) -> [LossRecord] {
    let record = try self.session(session)
    return try asHistoryError {
      try connection.losses(of: record)
    }
  }

  /// The wall clock at a time of a session's own, in microseconds.
  package func wallTime(at time: Int64, in session: SessionRecord) throws(HistoryError) -> Int64 {
    let anchor = try anchors(session: session.id).last { $0.time <= time }
    return time &+ (anchor.map { $0.wallTime &- $0.time } ?? session.wallTime)
  }

  /// The readings of the wall clock in a session, in the order of time.
  package func anchors(session: Int64) throws(HistoryError) -> [AnchorRecord] {
    try asHistoryError {
      let rows = try connection.prepare(
        "SELECT t_us, wall_us FROM anchor WHERE session = ?1 ORDER BY t_us", session)
      var anchors: [AnchorRecord] = []
      var order = ReadingOrder("the readings of the clock in session \(session)")
      while try rows.step() {
        try order.check(rows.int64(at: 0))
        anchors.append(AnchorRecord(time: rows.int64(at: 0), wallTime: rows.int64(at: 1)))
      }
      return anchors
    }
  }
}

extension HistoryReader {
  /// What the rules found in a session, by the number of the guilty event, then by code.
  package func findings(session: Int64) throws(HistoryError) -> [FindingRecord] {
    var findings: [FindingRecord] = []
    try forEachFinding(session: session) { findings.append($0) }
    return findings
  }

  /// The last of them.
  package func findings(session: Int64, last count: Int) throws(HistoryError) -> [FindingRecord] {
    try asHistoryError {
      // While SQLite sorts, it keeps no more of them than the limit.
      let rows = try connection.findingRows(
        session, "seq DESC, code DESC, visit DESC, id DESC LIMIT \(count)")
      var findings: [FindingRecord] = []
      while try rows.step() { findings.append(try FindingRecord(rows, session)) }
      return findings.reversed()
    }
  }

  /// Gives one finding of a session after the other: a file can have any number of them.
  ///
  /// If one event has more than twenty, each twenty of them are sorted by code.
  package func forEachFinding(
    session: Int64, _ body: (FindingRecord) throws -> Void
  ) throws(HistoryError) {
    try asHistoryError {
      // In the order of the index: SQLite would keep all findings of one event to sort them by code.
      let rows = try connection.findingRows(session, "seq, id")
      var few: [FindingRecord] = []
      func give() throws {
        few.sort { ($0.code, $0.visit) < ($1.code, $1.visit) }
        try few.forEach(body)
        few = []
      }
      while try rows.step() {
        let finding = try FindingRecord(rows, session)
        if few.count == 20 || few.last.map({ $0.seq != finding.seq }) ?? false { try give() }
        few.append(finding)
      }
      try give()
    }
  }
}

extension Connection {
  /// The findings of a session in this order.
  fileprivate func findingRows(_ session: Int64, _ order: String) throws -> Statement {
    try prepare(
      """
      SELECT seq, code, severity, controller, visit, state, detail, is_final FROM finding
      WHERE session = ?1 ORDER BY \(order)
      """, session)
  }
}

extension FindingRecord {
  fileprivate init(_ rows: Statement, _ session: Int64) throws {
    self.init(
      session: session, seq: rows.int64(at: 0), code: try rows.string(at: 1) ?? "",
      severity: try rows.string(at: 2) ?? "",
      controller: Int32(truncatingIfNeeded: rows.int64(at: 3)),
      visit: UInt32(truncatingIfNeeded: rows.int64(at: 4)),
      state: Int32(truncatingIfNeeded: rows.int64(at: 5)), detail: try rows.string(at: 6) ?? "",
      isFinal: rows.int64(at: 7) != 0)
  }
}

/// Checks that rows come in order, each once.
///
/// In a damaged file a page or an index may lead to one row hundreds of times, and a reader that
/// collects rows would run out of memory.
package struct ReadingOrder {
  private let what: String
  private var last: Int64?

  /// - Parameter what: what the rows are, for the error.
  package init(_ what: String) { self.what = what }

  /// Checks the key of the next row.
  package mutating func check(_ key: Int64) throws {
    if let last, last >= key { throw HistoryError.damaged("\(what) are in no order") }
    last = key
  }
}

/// Answers whether a number has an event and whose it is, also while a query runs.
package final class EventLookup {
  private let statement: Statement
  private let owner: Statement

  package init(_ reader: HistoryReader) throws(HistoryError) {
    // A lost number counts, because its event existed.
    statement = try asHistoryError {
      try reader.connection.prepare(
        """
        SELECT EXISTS (SELECT 1 FROM event WHERE seq = ?1)
          OR EXISTS (SELECT 1 FROM loss WHERE first_seq <= ?1 AND last_seq >= ?1)
        """)
    }
    owner = try asHistoryError {
      try reader.connection.prepare(
        """
        SELECT n.text FROM event e JOIN controller c ON c.id = e.what >> 14 JOIN name n ON n.id = c.name
        WHERE e.seq = ?1
        """)
    }
  }

  /// Whether a session had an event with this number.
  package func has(_ seq: Int64, in session: SessionRecord) throws(HistoryError) -> Bool {
    guard seq >= session.firstSeq, seq <= session.lastOwnSeq else { return false }
    return try asHistoryError {
      defer { statement.reset() }
      try statement.bind(seq, at: 1)
      return try statement.step() && statement.int64(at: 0) != 0
    }
  }

  /// The name of the controller of an event; none if it has none or was lost.
  package func controller(of seq: Int64) throws(HistoryError) -> String? {
    try asHistoryError {
      defer { owner.reset() }
      try owner.bind(seq, at: 1)
      return try owner.step() ? try owner.string(at: 0) : nil
    }
  }
}
