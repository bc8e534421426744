/// The table `applied_migration`.
enum MigrationRecord {
  static func createTable(in connection: Connection) throws(SQLiteError) {
    try connection.execute(
      """
      CREATE TABLE applied_migration(
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        applied_at TEXT NOT NULL,
        checksum TEXT NOT NULL
      ) STRICT
      """)
  }

  static func add(_ migration: Migration, to connection: Connection) throws(SQLiteError) {
    try connection.run(
      """
      INSERT INTO applied_migration(number, name, applied_at, checksum)
      VALUES (?1, ?2, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ?3)
      """, migration.number, migration.name, migration.checksum)
  }

  /// Throws an error unless the table records exactly these migrations with the same names and SQL.
  static func compare(_ expected: ArraySlice<Migration>, with connection: Connection) throws {
    guard try connection.hasTable("applied_migration") else {
      throw MigrationError.damagedRecord("there is no table applied_migration")
    }
    let rows = try connection.prepare(
      "SELECT number, name, checksum FROM applied_migration ORDER BY number")
    for migration in expected {
      guard try rows.step(), rows.int64(at: 0) == Int64(migration.number) else {
        throw MigrationError.damagedRecord("migration \(migration.number) is not in it")
      }
      let name = try rows.string(at: 1) ?? ""
      guard name == migration.name, try rows.string(at: 2) == migration.checksum else {
        throw MigrationError.changed(
          number: migration.number, name: migration.name, recordedName: name)
      }
    }
    guard try !rows.step() else {
      throw MigrationError.damagedRecord("it has more migrations than user_version says")
    }
  }
}

extension Connection {
  /// Whether the database is empty.
  var isEmpty: Bool {
    get throws(SQLiteError) {
      try !prepare("SELECT 1 FROM sqlite_schema LIMIT 1").step()
    }
  }

  func hasTable(_ name: String) throws(SQLiteError) -> Bool {
    try prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1", name).step()
  }
}
