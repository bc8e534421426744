import StatySQLite

/// The SQLite library in use.
package enum SQLiteLibrary {
  /// Its version, such as `3.40.1`, and its compile options.
  package static func described() throws(HistoryError) -> (version: String, options: [String]) {
    try asHistoryError {
      let connection = try Connection()
      let version = try connection.prepare("SELECT sqlite_version()")
      let name = try version.step() ? try version.string(at: 0) : nil
      let rows = try connection.prepare("PRAGMA compile_options")
      var options: [String] = []
      while try rows.step() { options.append(try rows.string(at: 0) ?? "") }
      return (name ?? "?", options)
    }
  }
}
