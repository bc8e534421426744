import StatySQLite
import StatyText

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
