import Staty

extension HistoryWriter {
  /// The number of a name in this file.
  ///
  /// Two names are one if their bytes are; NUL and every other character may be in them. A new
  /// name is stored with the next transaction.
  package func intern(name: String) throws(HistoryError) -> Int32 {
    try asHistoryError { try catalog.name(name, connection) }
  }

  /// The number of a place in the code in this file.
  ///
  /// A new place is stored with the next transaction.
  package func intern(site file: String, line: Int64) throws(HistoryError) -> Int32 {
    try asHistoryError { try catalog.site(SiteRecord(file: file, line: line), connection) }
  }

  /// The number of a new controller of a session; it is stored with the next transaction.
  ///
  /// - Parameters:
  ///   - discipline: in which order it lets its visits enter, as `Discipline` numbers it.
  ///   - fidelity: how much is told of it: 1 full, 2 ordered, 3 three-kind.
  ///   - snapshot: where it stands, as JSON.
  package func addController(
    session: Int64, name: String, policy: String,
    discipline: UInt8 = Discipline.inOrder.rawValue, fidelity: UInt8 = 1, snapshot: String = "{}"
  ) throws(HistoryError) -> Int32 {
    try asHistoryError {
      _ = try ledger(of: session)
      let record = ControllerRecord(
        id: 0, session: session, name: name, policy: policy, discipline: discipline,
        fidelity: fidelity, snapshot: snapshot)
      return try catalog.controller(record, connection)
    }
  }
}
