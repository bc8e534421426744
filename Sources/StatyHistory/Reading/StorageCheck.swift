import StatySQLite

extension HistoryReader {
  /// What SQLite's own check finds wrong first; none if it finds nothing.
  ///
  /// It notices what is no database any more, and hardly ever a changed number: for those there are
  /// checksums.
  package func firstStorageFault() throws(HistoryError) -> String? {
    try asHistoryError {
      let found = try connection.pragma("integrity_check")
      return found == "ok" ? nil : found?.escapedForOneLine ?? "it says nothing"
    }
  }
}

/// What SQLite is in use.
package enum SQLiteLibrary {
  /// Its version, such as `3.40.1`, and how it was compiled, option by option.
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
