import Staty
import StatySQLite

/// The names, places and controllers that the writer knows by number.
///
/// A number is given at once and stored with the next transaction, or with a later one if that
/// fails. Only this writer writes to the file, so a number is never given twice.
struct Catalog {
  private(set) var hashes = ContentHashes()
  private var names: [ExactText: Int32] = [:]
  private var sites: [SiteRecord: Int32] = [:]
  private var controllersInSession: [Int64: Int] = [:]
  private var pending = Pending()
  private var lastName: Int32
  private var lastSite: Int32
  private var lastController: Int32

  private struct Pending {
    var names: [(Int32, String)] = []
    var sites: [(Int32, SiteRecord)] = []
    var controllers:
      [(ControllerRecord, ordinal: Int, name: Int32, policy: Int32, isRouted: Bool)] = []
    var routes: [(controller: Int32, from: Int32, to: Int32)] = []
  }

  init(_ connection: Connection) throws {
    func last(_ table: String) throws -> Int32 {
      let rows = try connection.prepare("SELECT max(id) FROM \(table)")
      _ = try rows.step()
      guard let number = Int32(exactly: rows.int64(at: 0)), number >= 0, number < Int32.max else {
        throw HistoryError.damaged("the numbers of table \(table) are used up")
      }
      return number
    }
    lastName = try last("name")
    lastSite = try last("site")
    lastController = try last("controller")
  }

  /// Whether there is something to store.
  var isPending: Bool {
    !pending.names.isEmpty || !pending.sites.isEmpty || !pending.controllers.isEmpty
  }

  mutating func name(_ text: String, _ connection: Connection) throws -> Int32 {
    let key = ExactText(text: text)
    if let known = names[key] { return known }
    try checkLength(of: text)
    let rows = try connection.prepare("SELECT id FROM name WHERE text = ?1", text)
    let stored = try rows.step() ? rows.int64(at: 0) : 0
    let number = Int32(exactly: stored) ?? 0
    return stored == 0 ? addName(key) : remember(key, number)
  }

  private func checkLength(of name: String) throws(HistoryError) {
    let bytes = name.utf8.count
    guard bytes <= HistoryFile.longestStoredName else { throw .nameTooLong(bytes: bytes) }
  }

  private mutating func addName(_ key: ExactText) -> Int32 {
    lastName += 1
    pending.names.append((lastName, key.text))
    return remember(key, lastName)
  }

  private mutating func remember(_ key: ExactText, _ number: Int32) -> Int32 {
    names[key] = number
    hashes.names.set(number, to: ContentHash.text(key.text))
    return number
  }

  mutating func site(_ site: SiteRecord, _ connection: Connection) throws -> Int32 {
    if let known = sites[site] { return known }
    try checkLength(of: site.file)
    let rows = try connection.prepare(
      "SELECT id FROM site WHERE file = ?1 AND line = ?2", site.file, site.line)
    let number: Int32
    if try rows.step() {
      number = Int32(exactly: rows.int64(at: 0)) ?? 0
    } else {
      lastSite += 1
      number = lastSite
      pending.sites.append((number, site))
    }
    sites[site] = number
    hashes.sites.set(number, to: ContentHash.site(file: site.file, line: site.line))
    return number
  }

  mutating func controller(
    _ record: ControllerRecord, _ connection: Connection
  ) throws -> Int32 {
    let name = try name(record.name, connection)
    let policy = try self.name(record.policy, connection)
    let ordinal = try controllersInSession[record.session] ?? stored(record.session, connection)
    controllersInSession[record.session] = ordinal + 1
    let routes = try record.routes?.map { route in
      let from = try route.from.map { try self.name($0, connection) }
      return (
        from: route.isAnywhere == true ? -1 : from ?? 0, to: try self.name(route.to, connection)
      )
    }
    lastController += 1
    var record = record
    record.id = lastController
    pending.controllers.append((record, ordinal, name, policy, routes != nil))
    pending.routes += (routes ?? []).map { (record.id, $0.from, $0.to) }
    hashes.add(record, ordinal: ordinal)
    return lastController
  }

  private func stored(_ session: Int64, _ connection: Connection) throws -> Int {
    let rows = try connection.prepare("SELECT count(*) FROM controller WHERE session = ?1", session)
    _ = try rows.step()
    return Int(rows.int64(at: 0))
  }

  /// Reads what is stored, so that rows may use numbers that were given before the file was opened.
  mutating func load(session: Int64, _ connection: Connection) throws {
    hashes = try connection.contentHashes(over: hashes, session: session)
  }

  /// Writes what is pending; call `settle` once that is committed.
  ///
  /// If an earlier transaction was stored after all, its rows do not change.
  func store(_ connection: Connection) throws {
    guard isPending else { return }
    let name = try connection.prepare("INSERT OR IGNORE INTO name(id, text) VALUES (?1, ?2)")
    for (number, text) in pending.names {
      try name.run(Int64(number), text)
    }
    let site = try connection.prepare(
      "INSERT OR IGNORE INTO site(id, file, line) VALUES (?1, ?2, ?3)")
    for (number, record) in pending.sites {
      try site.run(Int64(number), record.file, record.line)
    }
    let controller = try connection.prepare(
      """
      INSERT OR IGNORE INTO controller(
        id, session, name, policy, discipline, fidelity, snapshot, is_routed)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """)
    for (record, ordinal, name, policy, isRouted) in pending.controllers {
      try controller.run(
        Int64(record.id), record.session, Int64(name), Int64(policy), Int64(record.discipline),
        Int64(record.fidelity), record.snapshot, isRouted ? 1 : 0)
      if connection.changes == 0 { continue }
      try connection.addToSeal(
        of: record.session, SessionSeal.part(record, ordinal: ordinal))
    }
    let route = try connection.prepare(
      "INSERT OR IGNORE INTO route(controller, \"to\", \"from\") VALUES (?1, ?2, ?3)")
    for (controller, from, to) in pending.routes {
      try route.run(Int64(controller), Int64(to), Int64(from))
    }
  }

  /// Forgets the controllers of a failed transaction.
  mutating func forgetPendingControllers() {
    for controller in pending.controllers { controllersInSession[controller.0.session] = nil }
    (pending.controllers, pending.routes) = ([], [])
  }

  /// Forgets what was pending: it is committed.
  mutating func settle() {
    if isPending { pending = Pending() }
  }
}

extension HistoryWriter {
  /// The number of a name in this file.
  ///
  /// Two names are equal if their bytes are; they may contain every character, also NUL. A new name
  /// is stored with the next transaction.
  package func intern(name: String) throws(HistoryError) -> Int32 {
    try asHistoryError { try catalog.name(name, connection) }
  }

  /// The number of a place in the code in this file.
  ///
  /// A new place is stored with the next transaction.
  package func intern(site file: String, line: Int64) throws(HistoryError) -> Int32 {
    try asHistoryError { try catalog.site(SiteRecord(file: file, line: line), connection) }
  }

  /// The number of a new controller of a session; it is stored with the next transaction.
  ///
  /// - Parameters:
  ///   - discipline: in which order it lets its visits enter, as `Discipline` numbers it.
  ///   - fidelity: 1 full, 2 ordered, 3 three-kind.
  ///   - snapshot: its snapshot, as JSON.
  package func addController(
    session: Int64, name: String, policy: String,
    discipline: UInt8 = Discipline.inOrder.rawValue, fidelity: UInt8 = 1, snapshot: String = "{}"
  ) throws(HistoryError) -> Int32 {
    try asHistoryError {
      _ = try ledger(of: session)
      let record = ControllerRecord(
        id: 0, session: session, name: name, policy: policy, discipline: discipline,
        fidelity: fidelity, snapshot: snapshot)
      return try catalog.controller(record, connection)
    }
  }
}
