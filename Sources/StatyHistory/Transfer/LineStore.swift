/// Where what lines say of sessions goes: into a history, or to whoever only judges it.
package protocol LineStore: AnyObject {
  func intern(name: String) throws(HistoryError) -> Int32
  func intern(site file: String, line: Int64) throws(HistoryError) -> Int32
  /// Whether there is a session of this name already.
  func hasSession(uuid: String) throws(HistoryError) -> Bool
  func restore(_ opening: SessionOpening, as id: Int64?) throws(HistoryError) -> Int64
  func addAnchor(session: Int64, time: Int64, wallTime: Int64) throws(HistoryError)
  func addController(
    session: Int64, name: String, policy: String, discipline: UInt8, fidelity: UInt8,
    snapshot: String
  ) throws(HistoryError) -> Int32
  func restore(
    _ rows: [EventRow], _ details: [EventDetail], of session: Int64
  ) throws(HistoryError)
  func restore(_ losses: [LossRecord]) throws(HistoryError)
  /// The first event that a loss says is missing; none if there is none such.
  func firstEventInLoss(of session: Int64) throws(HistoryError) -> Int64?
  func restoreEnd(
    of session: Int64, _ ended: SessionEnd, observed: Int64?, payloadsLeftOut: Int64?
  ) throws(HistoryError)
  func rename(
    session: Int64, uuid: String?, threeKind controllers: [Int32]
  ) throws(HistoryError)
}

// What only a history keeps: nobody judges by it.
extension LineStore {
  package func intern(site file: String, line: Int64) throws(HistoryError) -> Int32 { 0 }
  package func hasSession(uuid: String) throws(HistoryError) -> Bool { false }
  package func addAnchor(session: Int64, time: Int64, wallTime: Int64) throws(HistoryError) {}
  package func firstEventInLoss(of session: Int64) throws(HistoryError) -> Int64? { nil }
  package func restoreEnd(
    of session: Int64, _ ended: SessionEnd, observed: Int64?, payloadsLeftOut: Int64?
  ) throws(HistoryError) {}
}

extension LineStore {
  /// The number of the name under a key; 0 if there is none.
  func intern(_ line: TransferLine, _ key: TransferKey) throws -> Int32 {
    guard let name = try line.text(key) else { return 0 }
    return try intern(name: name)
  }
}

extension HistoryWriter: LineStore {
  package func firstEventInLoss(of session: Int64) throws(HistoryError) -> Int64? {
    try asHistoryError { try connection.firstEventInLoss(of: try connection.session(session)) }
  }

  package func hasSession(uuid: String) throws(HistoryError) -> Bool {
    try reader().hasSession(uuid: uuid)
  }

  package func restore(
    _ rows: [EventRow], _ details: [EventDetail], of session: Int64
  ) throws(HistoryError) {
    var failure: HistoryError?
    rows.withUnsafeBufferPointer { rows in
      do throws(HistoryError) {
        _ = try append(rows, details: details, to: session)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
