import CSQLite
import StatyText

/// A failure that SQLite or this wrapper has reported, with the action, the file, the SQL and
/// SQLite's message.
package struct SQLiteError: Error, Equatable, Sendable {
  /// The kind of failure.
  package let code: ResultCode

  /// SQLite's extended code, equal to the primary code if there is no extended one.
  package let extendedCode: Int32

  /// SQLite's message.
  ///
  /// Control and formatting characters are already escaped, because the message may contain names
  /// from a hostile file.
  package let message: String

  /// The action that failed, such as `opening` or `stepping`.
  let doing: String

  /// The SQL, without the values bound to it.
  ///
  /// It is not escaped.
  package let sql: String?

  /// The absolute path of the database, not escaped.
  ///
  /// It is `nil` for a database in memory.
  package let path: String?

  /// Creates the error of a failure.
  ///
  /// Control characters in `message` are escaped.
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
  /// Whether the system failed to sync a file.
  ///
  /// It may have lost the data, and reports that only once.
  package var isOfSync: Bool {
    // SQLite's numbers. Swift does not import how its header computes them.
    code == .inputOutput && [4, 5].contains(extendedCode >> 8)
  }
}

extension SQLiteError: CustomStringConvertible {
  /// One line for a terminal: the lines of the SQL are joined, and long SQL is cut.
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
  /// Whether the system failed to write, and not to read, the database or one of SQLite's files
  /// next to it.
  package var isOfWriting: Bool {
    switch code {
    case .full: true
    case .inputOutput: Self.written.contains(extendedCode)
    case .readOnly: Self.forbidden.contains(extendedCode)
    default: false
    }
  }

  // Swift does not import SQLite's names for these. They are failures to write, to sync a file or a
  // folder, to truncate, to remove, to open, lengthen or map the log's shared memory, and a missing
  // folder.
  private static let written = Set([3, 4, 5, 6, 10, 18, 19, 21, 25].map { SQLITE_IOERR | $0 << 8 })

  // The primary code, a moved file, and a folder that cannot be written. The others are about
  // reading a damaged file next to the database.
  private static let forbidden = Set([0, 4, 6].map { SQLITE_READONLY | $0 << 8 })
}
