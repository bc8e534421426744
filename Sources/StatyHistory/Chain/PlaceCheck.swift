import StatySQLite

/// Finds events of a session that say that they happened where they cannot have.
///
/// An event lies inside an earlier one of its own thread. That one may be missing only where events are
/// known to be, or while the session goes on: one that is told late is stored late, too.
struct PlaceCheck {
  private let session: SessionRecord
  private let losses: [LossRecord]
  private let connection: Connection
  // The rows seen last, each at its number modulo the size.
  private var numbers = [Int64](repeating: 0, count: size)
  private var threads = [UInt8](repeating: 0, count: size)

  private static let size = 1 << 12

  init(_ session: SessionRecord, _ connection: Connection, _ losses: [LossRecord]) {
    (self.session, self.connection, self.losses) = (session, connection, losses)
  }

  /// Whether the next event lies in a place in which it cannot lie.
  mutating func isWrong(_ row: EventRow) throws -> Bool {
    let slot = Int(truncatingIfNeeded: row.seq) & (Self.size - 1)
    numbers[slot] = row.seq
    threads[slot] = row.thread
    if row.inside == 0 { return false }
    if row.inside >= row.seq { return true }
    // What the sessions before of the same process had may not be kept.
    if row.inside < session.firstSeq { return session.run == nil }
    guard let thread = try thread(of: row) else { return !mayBeMissing(row.inside) }
    // 0 is no thread: a history that was imported may not say.
    return thread != row.thread && thread != 0 && row.thread != 0
  }

  /// The thread of the event inside which this one lies; none if there is no such event.
  private func thread(of row: EventRow) throws -> UInt8? {
    let slot = Int(truncatingIfNeeded: row.inside) & (Self.size - 1)
    if numbers[slot] == row.inside { return threads[slot] }
    if row.seq - row.inside < Self.size { return nil }
    let rows = try connection.prepare("SELECT what FROM event WHERE seq = ?1")
    try rows.bind(row.inside, at: 1)
    defer { rows.reset() }
    guard try rows.step() else { return nil }
    return EventRow(
      seq: row.inside, time: 0, what: rows.int64(at: 0), visit: 0, state: 0, place: 0, reference: 0
    ).thread
  }

  private func mayBeMissing(_ seq: Int64) -> Bool {
    session.ended == .open
      || losses.contains { $0.firstSeq <= seq && seq <= $0.lastSeq }
  }
}
