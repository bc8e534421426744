package import StatyHistory
/// Why a query was not answered, or not completely.
package enum QueryError: Error, Equatable {
  /// What a query may not do.
  package enum Refusal: Equatable, Sendable {
    /// It does something other than read.
    case writes
    /// It is more than one statement.
    case several
    /// It names a table that is not one of the views.
    case privateTable(String)
    /// It calls this function.
    case function(String)
  }

  /// The query asks for something that it may not do.
  case refused(Refusal)
  /// SQLite does not accept it, or a value in it.
  ///
  /// - Parameter offset: where, in bytes from its beginning, if that is known.
  case wrong(message: String, offset: Int?)
  /// A parameter has no name.
  case nameless
  /// A parameter, with its prefix, was given no value.
  case missing(String)
  /// A value was given for a parameter that it does not have.
  case unused(String)
  /// It was stopped after this time.
  case tookTooLong(seconds: Double)
  /// It was stopped because it needs more memory than this.
  case tookTooMuch(bytes: Int)
  /// The file could not be read.
  case failed(HistoryError)
}
