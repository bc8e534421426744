package import StatyHistory
import LibC
package import StatySQLite
import StatyText

extension HistoryReader {
  /// Opens the history at `path`.
  ///
  /// A file that is no history or is newer than this version is refused. A file with an older
  /// schema is migrated in a private copy, which is read.
  package convenience init(path: String, mode: OpenMode = .readOnly) throws(HistoryError) {
    let connection = try asHistoryError {
      let connection = try Connection(path: path, mode: mode)
      try connection.configureForReading()
      return connection
    }
    do throws(HistoryError) {
      try self.init(connection: connection)
    } catch .older {
      try asHistoryError { try connection.close() }
      try self.init(receivedAt: path)
    }
    let opened = self.connection
    try asHistoryError { try opened.checkNumbers() }
  }

  /// Opens a history from any source, while no recorder uses it.
  ///
  /// It writes no other file there, takes no lock, and runs only our own SQL: a file with a schema
  /// that differs from that of its version in a single letter is refused. A file with a log, or
  /// with an older schema, is read from a private copy, which is migrated if needed and removed
  /// with the reader.
  ///
  /// - Parameters:
  ///   - path: a symbolic link in the last component is refused; resolve it first.
  ///   - hasLog: whether its log is read.
  package convenience init(receivedAt path: String, hasLog: Bool = true) throws(HistoryError) {
    try Self.checkSize(of: path)
    var copy = hasLog && Self.size(of: path + "-wal") > 0 ? try PrivateCopy(of: path) : nil
    var connection = try Self.open(path, copy)
    let schema = try asHistoryError { Int(try connection.integerPragma("user_version") ?? 0) }
    if schema < HistoryFile.schemaVersion {
      let older = if let copy { copy } else { try PrivateCopy(of: path, hasLog: hasLog) }
      copy = older
      try asHistoryError {
        try connection.close()
        try HistoryFile.migrator.open(path: older.path).close()
      }
      connection = try Self.open(path, older)
    }
    try self.init(connection: connection, keeping: copy, of: schema)
  }

  private static func open(
    _ path: String, _ copy: PrivateCopy?
  ) throws(HistoryError) -> Connection {
    let pages = try PageSource(copy?.path ?? path, hasLog: copy != nil)
    try pages.checkSchema()
    return try asHistoryError {
      let connection = try Connection(
        path: copy?.path ?? path, mode: copy == nil ? .immutable : .readOnly)
      try connection.configureForReading()
      try checkSchema(connection)
      try checkTrees(connection, pages)
      try checkOwners(connection)
      try checkNames(connection)
      try connection.checkNumbers()
      return connection
    }
  }

  /// Opens a history that a process of the same user is recording into.
  ///
  /// Later changes are visible, except during ``consistently(_:)``.
  package convenience init(liveAt path: String) throws(HistoryError) {
    let connection = try asHistoryError {
      let connection = try Connection(path: path, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 2_000)
      try connection.configureForReading()
      try Self.checkSchema(connection)
      try Self.checkOwners(connection)
      try Self.checkNames(connection)
      try connection.checkNumbers()
      return connection
    }
    try self.init(connection: connection)
  }

  /// Refuses files that are empty, and files or logs that are nearly all holes: reading them would
  /// use memory for pages that were never written.
  static func checkSize(of path: String) throws(HistoryError) {
    for (file, name) in [(path, "it"), (path + "-wal", "its log")] {
      var status = stat()
      guard lstat(file, &status) == 0 else { continue }
      if file == path, status.st_size == 0, size(of: path + "-wal") == 0 { throw .empty }
      let held = Int64(status.st_blocks) * 512
      if status.st_size > 1 << 24, held < Int64(status.st_size) / 64 {
        throw .damaged("\(name) claims \(status.st_size) bytes and holds \(held)")
      }
    }
  }

  private static func size(of path: String) -> Int64 {
    var status = stat()
    return lstat(path, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// Refuses a file with a schema that is not that of its version.
  ///
  /// The version is in the header, which is read without running SQL.
  private static func checkSchema(_ connection: Connection) throws {
    let version: Int
    do {
      version = try HistoryFile.migrator.version(of: connection)
    } catch .sqlite(let error) {
      throw error
    }
    guard version > 0 else { throw MigrationError.unmarked }
    if let difference = try KnownSchema.of(version: version).firstDifference(in: connection) {
      throw HistoryError.damaged(difference)
    }
  }

  /// Refuses a file with damaged tables or indexes.
  ///
  /// SQLite's own check visits each page and each row once. It ends because trees have few levels.
  private static func checkTrees(_ connection: Connection, _ pages: PageSource) throws {
    let rows = try connection.prepare("SELECT rootpage FROM sqlite_schema WHERE rootpage > 0")
    var roots = [1]
    while try rows.step() { roots.append(Int(rows.int64(at: 0))) }
    try pages.pages(of: roots)
    guard let fault = try connection.firstStorageFault() else { return }
    throw HistoryError.damaged("SQLite finds '\(fault)'")
  }

  /// Refuses a file with rows of a session that does not exist.
  ///
  /// Rows behind another session's first number count as that session's; its checksums show that
  /// they are not.
  private static func checkOwners(_ connection: Connection) throws {
    // One statement, so that it sees one state of a file that is being recorded.
    let rows = try connection.prepare(
      """
      SELECT min(e.seq), (SELECT min(c.id) FROM controller c WHERE NOT EXISTS
        (SELECT 1 FROM session s WHERE s.id = c.session))
      FROM (SELECT min(seq) AS seq FROM event UNION ALL SELECT min(first_seq) FROM loss
        UNION ALL SELECT min(first_seq) FROM chain) e
      WHERE e.seq < coalesce((SELECT min(first_seq) FROM session), 9223372036854775807)
      """)
    guard try rows.step() else { return }
    if !rows.isNull(at: 0) {
      throw HistoryError.damaged("the session of event \(rows.int64(at: 0)) is not there")
    }
    if !rows.isNull(at: 1) {
      throw HistoryError.damaged("the session of controller \(rows.int64(at: 1)) is not there")
    }
  }

  /// Refuses a file with a name that is longer than allowed.
  ///
  /// The name would be held in memory, and written with every event that has it.
  private static func checkNames(_ connection: Connection) throws {
    for (table, columns) in [
      ("name", ["text"]), ("site", ["file"]), ("session", ["uuid", "app", "app_version", "os"]),
    ] {
      for column in columns {
        let rows = try connection.prepare(
          """
          SELECT id, length(CAST(\(column) AS BLOB)) FROM \(table)
          WHERE length(CAST(\(column) AS BLOB)) > ?1 LIMIT 1
          """, Int64(HistoryFile.longestStoredName))
        guard try rows.step() else { continue }
        throw HistoryError.damaged(
          "\(column) \(rows.int64(at: 0)) of table \(table) has \(rows.int64(at: 1)) bytes, and a "
            + "name has \(HistoryFile.longestStoredName) at most")
      }
    }
  }
}

extension HistoryReader {
  /// The first problem that SQLite's own check finds; none if it finds nothing.
  ///
  /// It finds what is no valid database any more, but rarely a changed number: the checksums find
  /// those.
  package func firstStorageFault() throws(HistoryError) -> String? {
    try asHistoryError { try connection.firstStorageFault() }
  }
}

extension Connection {
  fileprivate func firstStorageFault() throws -> String? {
    let rows = try prepare("PRAGMA integrity_check(1)")
    let found = try rows.step() ? try rows.string(at: 0) : nil
    return found == "ok" ? nil : found?.escapedForOneLine ?? "it says nothing"
  }
}
