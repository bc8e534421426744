/// Brings a database to the newest schema.
///
/// Each migration has its own transaction, which also records that it was applied.
///
/// `application_id` identifies the program that the database belongs to. `user_version` is the
/// number of the last migration. The table `applied_migration` has the applied migrations, with
/// times and checksums of their SQL.
package struct Migrator: Sendable {
  private let applicationID: Int32
  private let migrations: [Migration]

  /// Creates a migrator for databases with this `applicationID`.
  ///
  /// - Parameter migrations: all migrations that ever existed, with the numbers 1, 2, 3 and so on.
  ///   Other numbers stop the process, as does an `applicationID` of 0, which means "none".
  package init(applicationID: Int32, migrations: [Migration]) {
    precondition(applicationID != 0, "0 stands for no application; choose another application_id.")
    for (index, migration) in migrations.enumerated() {
      precondition(
        migration.number == index + 1,
        "Migration \"\(migration.name)\" has number \(migration.number) where \(index + 1) is due.")
    }
    self.applicationID = applicationID
    self.migrations = migrations
  }

  /// Opens the database at `path` for writing, creates it if it does not exist, and migrates it.
  ///
  /// An existing file is first checked through a read-only connection. So a refused file keeps its
  /// bytes, its log and its journal mode.
  package func open(
    path: String, settings: WritingSettings = WritingSettings()
  ) throws(MigrationError) -> Connection {
    try asMigrationError {
      do {
        try look(at: path, settings)
      } catch let error as SQLiteError where error.isRollbackDue {
        try rollBack(path, settings)
      }
      let connection = try Connection(path: path, mode: .readWriteCreate)
      try connection.configureForWriting(settings)
      try migrate(connection)
      return connection
    }
  }

  /// Checks that the database may be migrated, and returns its missing migrations.
  ///
  /// It writes nothing.
  package func pending(_ connection: Connection) throws(MigrationError) -> [Migration] {
    try asMigrationError {
      // One transaction, so that all parts of the answer are from the same moment.
      try connection.transaction(.deferred) { Array(try missing(connection)) }
    }
  }

  /// Applies the missing migrations, and returns their numbers.
  ///
  /// Several processes may do this at the same time. Each migration is checked again and applied
  /// under the writer's lock, so it is applied once. A failing one is rolled back, and those before
  /// it stay.
  @discardableResult
  package func migrate(_ connection: Connection) throws(MigrationError) -> [Int] {
    try asMigrationError {
      var applied: [Int] = []
      while !(try pending(connection)).isEmpty {
        let number = try connection.transaction(.immediate) { () throws -> Int? in
          guard let next = try missing(connection).first else { return nil }
          try apply(next, to: connection)
          return next.number
        }
        if let number { applied.append(number) }
      }
      return applied
    }
  }

  /// The number of migrations in the database, from its header; 0 if it is empty.
  ///
  /// Unlike `pending(_:)`, this does not compare with the record of applied migrations. Use it for
  /// files that were checked before.
  package func version(of connection: Connection) throws(MigrationError) -> Int {
    try asMigrationError {
      let identity = try connection.integerPragma("application_id") ?? 0
      let version = Int(try connection.integerPragma("user_version") ?? 0)
      if identity == 0 {
        guard version == 0, try connection.isEmpty else { throw MigrationError.unmarked }
        return 0
      }
      guard identity == Int64(applicationID) else {
        throw MigrationError.otherApplication(
          found: Int32(truncatingIfNeeded: identity), expected: applicationID)
      }
      guard version <= migrations.count else {
        throw MigrationError.newer(found: version, known: migrations.count)
      }
      guard version > 0 else {
        throw MigrationError.damagedRecord("user_version is \(version)")
      }
      return version
    }
  }

  private func missing(_ connection: Connection) throws -> ArraySlice<Migration> {
    let version = try version(of: connection)
    if version > 0 { try MigrationRecord.compare(migrations[..<version], with: connection) }
    return migrations[version...]
  }

  private func apply(_ migration: Migration, to connection: Connection) throws {
    do {
      if migration.number == 1 {
        try connection.setPragmaVerified("application_id", to: String(applicationID))
        try MigrationRecord.createTable(in: connection)
      }
      try connection.execute(migration.sql)
      guard connection.isInTransaction else {
        throw MigrationError.damagedRecord(
          "migration \(migration.number) ended the transaction it ran in")
      }
      try MigrationRecord.add(migration, to: connection)
      try connection.setPragmaVerified("user_version", to: String(migration.number))
    } catch let error as SQLiteError {
      throw MigrationError.failed(number: migration.number, name: migration.name, error)
    }
  }

  /// Checks through a read-only connection whether an existing file may be migrated.
  private func look(at path: String, _ settings: WritingSettings) throws {
    guard try DatabasePath(path).exists else { return }
    let reader = try Connection(path: path, mode: .readOnly)
    reader.setBusyTimeout(milliseconds: settings.busyTimeoutMilliseconds)
    try reader.configureForReading()
    do {
      _ = try pending(reader)
    } catch .sqlite(let error) {
      throw error
    }
    try reader.close()
  }

  /// Makes SQLite roll back the transaction of a killed process, which a reader cannot do, and then
  /// reads.
  ///
  /// Use it only for the app's own files, because a crafted journal can name other files.
  private func rollBack(_ path: String, _ settings: WritingSettings) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    connection.setBusyTimeout(milliseconds: settings.busyTimeoutMilliseconds)
    _ = try pending(connection)
    try connection.close()
  }
}

private func asMigrationError<Result>(
  _ body: () throws -> Result
) throws(MigrationError) -> Result {
  do {
    return try body()
  } catch let error as MigrationError {
    throw error
  } catch let error as SQLiteError {
    throw .sqlite(error)
  } catch {
    preconditionFailure("A migration threw an error of unknown type: \(error).")
  }
}

extension SQLiteError {
  /// Whether a rollback is needed first, which this connection may not write
  /// (`SQLITE_READONLY_ROLLBACK`).
  fileprivate var isRollbackDue: Bool { extendedCode == 8 | 3 << 8 }
}
