import CSQLite
import StatyText

/// A failure that SQLite reported, or that this wrapper noticed on its behalf: what was being done,
/// to which file, with which SQL, and what SQLite said.
package struct SQLiteError: Error, Equatable, Sendable {
  /// The kind of failure.
  package let code: ResultCode

  /// SQLite's finer number, equal to the code's where there is none finer.
  package let extendedCode: Int32

  /// SQLite's words.
  ///
  /// Control and formatting characters in them are already escaped, since they may quote names out
  /// of a hostile file.
  package let message: String

  /// What was being attempted, such as `opening` or `stepping`.
  let doing: String

  /// The SQL, without the values bound to it.
  ///
  /// As it was given: not escaped.
  package let sql: String?

  /// The database's path as it was used: absolute, not escaped.
  ///
  /// None for a database in memory.
  package let path: String?

  /// Describes a failure; control characters in `message` are escaped.
  package init(
    extendedCode: Int32, message: String, doing: String, sql: String? = nil, path: String? = nil
  ) {
    self.code = ResultCode(rawValue: extendedCode)
    self.extendedCode = extendedCode
    self.message = message.escapedForOneLine
    self.doing = doing
    self.sql = sql
    self.path = path
  }
}

extension SQLiteError {
  /// Whether the system failed to sync a file: it may have let go of what it could not write, and says
  /// so once.
  package var isOfSync: Bool {
    // SQLite's own numbers, which its header computes in a way that Swift does not import.
    code == .inputOutput && [4, 5].contains(extendedCode >> 8)
  }
}

extension SQLiteError: CustomStringConvertible {
  /// One line fit for a terminal: the SQL's lines are joined, and a long one is cut.
  package var description: String {
    var line = "SQLite failed while \(doing): \(message) (\(code), \(extendedCode))"
    if let path { line += "; file \"\(path.escapedForOneLine)\"" }
    if let sql {
      let joined = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      line += "; SQL \"\(joined.shortened(to: 200).escapedForOneLine)\""
    }
    return line
  }
}

extension SQLiteError {
  /// Whether the system refused to write, rather than to read; that includes SQLite's files next to the
  /// database.
  package var isOfWriting: Bool {
    switch code {
    case .full: true
    case .inputOutput: Self.written.contains(extendedCode)
    case .readOnly: Self.forbidden.contains(extendedCode)
    default: false
    }
  }

  // SQLite's names for these are sums, which Swift does not see: to write, to sync a file or a folder, to
  // cut off, to remove; to open, lengthen or map what is shared about a log; no folder to write into.
  private static let written = Set([3, 4, 5, 6, 10, 18, 19, 21, 25].map { SQLITE_IOERR | $0 << 8 })

  // The plain code, a file that was moved, and a folder that cannot be written. The others are about reading:
  // a file next to the database is not as it must be.
  private static let forbidden = Set([0, 4, 6].map { SQLITE_READONLY | $0 << 8 })
}
