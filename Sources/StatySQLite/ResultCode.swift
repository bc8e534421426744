import CSQLite

/// What kind of failure SQLite reports: its primary result code.
public struct ResultCode: RawRepresentable, Hashable, Sendable {
  /// The number that SQLite gives it.
  public let rawValue: Int32

  /// The primary code of a number; the upper bits of an extended one are dropped.
  public init(rawValue: Int32) {
    self.rawValue = rawValue & 0xff
  }

  /// The SQL is wrong, or something that has no code of its own.
  public static let error = ResultCode(rawValue: SQLITE_ERROR)
  /// Another connection holds the lock that is needed.
  public static let busy = ResultCode(rawValue: SQLITE_BUSY)
  /// A conflict inside one connection, such as dropping a table that is being read.
  public static let locked = ResultCode(rawValue: SQLITE_LOCKED)
  /// Memory ran out.
  public static let outOfMemory = ResultCode(rawValue: SQLITE_NOMEM)
  /// A write to something that was opened for reading, or that may not be written.
  public static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
  /// Somebody called `interrupt()`.
  public static let interrupted = ResultCode(rawValue: SQLITE_INTERRUPT)
  /// The operating system failed to read, write or sync.
  public static let inputOutput = ResultCode(rawValue: SQLITE_IOERR)
  /// The file's content contradicts itself.
  public static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
  /// The disk, or the allowed number of pages, is full.
  public static let full = ResultCode(rawValue: SQLITE_FULL)
  /// The file cannot be opened.
  public static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
  /// A text, blob or row exceeds a limit.
  public static let tooBig = ResultCode(rawValue: SQLITE_TOOBIG)
  /// A constraint does not hold.
  public static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
  /// A value has the wrong type.
  public static let mismatch = ResultCode(rawValue: SQLITE_MISMATCH)
  /// SQLite was called in a way it does not allow, such as binding to a running statement.
  public static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
  /// There is no parameter with that number.
  public static let range = ResultCode(rawValue: SQLITE_RANGE)
  /// A guard said no.
  public static let notAllowed = ResultCode(rawValue: SQLITE_AUTH)
  /// The file is no SQLite database.
  public static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
}

extension ResultCode: CustomStringConvertible {
  /// SQLite's name for the code, without its prefix, such as `BUSY`.
  public var description: String {
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
