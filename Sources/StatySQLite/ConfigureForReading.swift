import CSQLite

/// How much a file may make SQLite do.
package struct ReadingLimits: Sendable {
  /// The values; a limit that is not in here stays as it is.
  package var values: [Limit: Int] = [
    // A recorder's notes go through a log of 1 MiB; what is printed of a text takes many times it.
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

  /// The ordinary limits: ample for the views of a history, far below SQLite's own.
  package init() {}
}

extension Connection {
  /// Makes this connection a reader of a file that may be hostile: nothing can be written, the
  /// schema is not trusted, triggers are off and the limits are low.
  ///
  /// To be called before any other use. Views stay on. This is the second line of defence; the first
  /// is to compare the schema with what it must be.
  package func configureForReading(
    _ limits: ReadingLimits = ReadingLimits()
  ) throws(SQLiteError) {
    for (limit, value) in limits.values {
      setLimit(limit, to: value)
    }
    try distrustSchema()
    try setSwitch(SQLITE_DBCONFIG_ENABLE_TRIGGER, on: false)
    try setPragmaVerified("query_only", to: "1")
    try setPragmaVerified("temp_store", to: "2")
    // What SQLite has by itself; the file may say another one, as large as there is memory.
    try setPragmaVerified("cache_size", to: "-2000")
  }
}
