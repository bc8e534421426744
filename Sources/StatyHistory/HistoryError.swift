package import StatySQLite

/// Why a history could not be written or read.
package enum HistoryError: Error, Equatable, Sendable {
  /// The file is no history, is newer than this version, or contradicts itself.
  ///
  /// The file is not changed.
  case refused(MigrationError)

  /// There is no space left for the write.
  ///
  /// Nothing of it is stored; it can be repeated when there is space again.
  case full(SQLiteError)

  /// The system failed to write, and it is not known whether the data is stored.
  ///
  /// Writing it again is safe: what is stored already does not change.
  case outcomeUnknown(SQLiteError)

  /// SQLite failed in another way.
  ///
  /// If it was a write, nothing of it is stored.
  case failed(SQLiteError)

  /// Event `seq` names a controller, state or place by an unknown number.
  ///
  /// Nothing of the write is stored.
  case unknownNumber(seq: Int64)

  /// Event `seq` has a number that belongs to another session.
  case foreignNumber(seq: Int64, session: Int64)

  /// A name has more bytes than a history may hold.
  ///
  /// Nothing of the write is stored.
  case nameTooLong(bytes: Int)

  /// There is no session with this number.
  case noSession(Int64)

  /// The file has an older schema, and the process that records into it has not brought it up to date.
  case older(schema: Int)

  /// The file is empty.
  case empty

  /// The file could not be copied to a place where it can be read.
  case notCopied(doing: String, reason: String)

  /// No copy for sharing was made.
  case notShared(reason: String)

  /// The file holds a value that no version has written.
  case damaged(String)
}

extension HistoryError: CustomStringConvertible {
  /// One line that says what is wrong and what to do.
  package var description: String {
    switch self {
    case .refused(let error):
      error.description
    case .full(let error):
      "there is no space left and nothing was stored; make space and write again: \(error)"
    case .outcomeUnknown(let error):
      "whether it was stored is not known; write it again: \(error)"
    case .failed(let error):
      error.description
    case .unknownNumber(let seq):
      "event \(seq) names a controller, state or place that has no number in this file; "
        + "ask the writer for one first"
    case .foreignNumber(let seq, let session):
      "event \(seq) does not belong to session \(session); number its events from the session's "
        + "first number on"
    case .nameTooLong(let bytes):
      "a name has \(bytes) bytes, and a history holds names of up to \(HistoryFile.longestStoredName); "
        + "give it a shorter one"
    case .noSession(let session):
      "there is no session \(session) in this history"
    case .older(let schema):
      "the history has schema \(schema), and an older version is recording into it; end the app that "
        + "records, or read a copy"
    case .empty:
      "the file is empty; choose another one"
    case .notCopied(let doing, let reason):
      "\(doing) failed (\(reason)); it has a log next to it and is read from a copy: make space in "
        + "the directory for temporary files, or name another one in TMPDIR"
    case .notShared(let reason):
      "no copy was made (\(reason)); choose another place for it"
    case .damaged(let what):
      "the history is damaged: \(what)"
    }
  }

  /// The error that stands for any other error.
  package init(_ error: any Error) {
    switch error {
    case let error as HistoryError: self = error
    case let error as MigrationError: self = .refused(error)
    case let error as SQLiteError:
      switch error.code {
      case .full: self = .full(error)
      case .inputOutput, .corrupt: self = .outcomeUnknown(error)
      default: self = .failed(error)
      }
    default: preconditionFailure("A history met an error of unknown type: \(error).")
    }
  }
}

/// Runs `body` and turns its errors into `HistoryError`.
package func asHistoryError<Result>(_ body: () throws -> Result) throws(HistoryError) -> Result {
  do {
    return try body()
  } catch {
    throw HistoryError(error)
  }
}
