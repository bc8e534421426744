import CSQLite

/// Limits on the work that a file can cause in SQLite.
package enum ReadingLimits {
  /// The values: enough for the views of a history, and far below SQLite's own.
  package static let values: [Limit: Int] = [
    // A recorder's notes have at most 1 MiB. Printing a text takes many times its size.
    .length: 4 << 20,
    .sqlLength: 1 << 20,
    .columns: 200,
    .expressionDepth: 200,
    .compoundSelects: 50,
    .instructions: 50_000,
    .functionArguments: 64,
    .attachedDatabases: 0,
    .patternLength: 1_000,
    .parameters: 100,
    .triggerDepth: 1,
    .workerThreads: 0,
  ]
}

extension Connection {
  /// Makes this connection a reader of a file that may be hostile.
  ///
  /// It cannot write, it does not trust the schema, triggers are off and the limits are low.
  ///
  /// Call it before any other use. Views stay on. This is the second protection; the first is to
  /// compare the schema with the expected one.
  package func configureForReading() throws(SQLiteError) {
    for (limit, value) in ReadingLimits.values {
      setLimit(limit, to: value)
    }
    try distrustSchema()
    try setSwitch(SQLITE_DBCONFIG_ENABLE_TRIGGER, on: false)
    try setPragmaVerified("query_only", to: "1")
    try setPragmaVerified("temp_store", to: "2")
    // SQLite's default. The file may have another value, as large as the memory.
    try setPragmaVerified("cache_size", to: "-2000")
  }
}
