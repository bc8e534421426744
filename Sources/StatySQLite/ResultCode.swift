import CSQLite

/// The kind of a failure: SQLite's primary result code.
package struct ResultCode: RawRepresentable, Hashable, Sendable {
  /// SQLite's number for the code.
  package let rawValue: Int32

  /// Creates the primary code of a number.
  ///
  /// The upper bits of an extended code are ignored.
  package init(rawValue: Int32) {
    self.rawValue = rawValue & 0xff
  }

  /// The SQL is wrong, or the failure has no other code.
  package static let error = ResultCode(rawValue: SQLITE_ERROR)
  /// Another connection has the required lock.
  package static let busy = ResultCode(rawValue: SQLITE_BUSY)
  /// A conflict inside one connection, such as dropping a table that is being read.
  package static let locked = ResultCode(rawValue: SQLITE_LOCKED)
  /// Memory ran out.
  package static let outOfMemory = ResultCode(rawValue: SQLITE_NOMEM)
  /// A write to a file that was opened for reading or is read-only.
  package static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
  /// A `StatementGuard` stopped the statement.
  package static let interrupted = ResultCode(rawValue: SQLITE_INTERRUPT)
  /// The operating system failed to read, write or sync.
  package static let inputOutput = ResultCode(rawValue: SQLITE_IOERR)
  /// The file's content is inconsistent.
  package static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
  /// The disk is full, or the file has its maximum of pages.
  package static let full = ResultCode(rawValue: SQLITE_FULL)
  /// The file cannot be opened.
  package static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
  /// A text, blob or row exceeds a limit.
  package static let tooBig = ResultCode(rawValue: SQLITE_TOOBIG)
  /// A constraint does not hold.
  package static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
  /// A value has the wrong type.
  package static let mismatch = ResultCode(rawValue: SQLITE_MISMATCH)
  /// SQLite was called in a way it does not allow, such as binding to a running statement.
  package static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
  /// There is no parameter with that number.
  package static let range = ResultCode(rawValue: SQLITE_RANGE)
  /// The file is not an SQLite database.
  package static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
}

extension ResultCode: CustomStringConvertible {
  /// SQLite's name for the code, without its prefix, such as `BUSY`.
  package var description: String {
    let names = [
      "OK", "ERROR", "INTERNAL", "PERM", "ABORT", "BUSY", "LOCKED", "NOMEM", "READONLY",
      "INTERRUPT", "IOERR", "CORRUPT", "NOTFOUND", "FULL", "CANTOPEN", "PROTOCOL", "EMPTY",
      "SCHEMA", "TOOBIG", "CONSTRAINT", "MISMATCH", "MISUSE", "NOLFS", "AUTH", "FORMAT", "RANGE",
      "NOTADB", "NOTICE", "WARNING",
    ]
    let index = Int(rawValue)
    return names.indices.contains(index) ? names[index] : "code \(rawValue)"
  }
}
