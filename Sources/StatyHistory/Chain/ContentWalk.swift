import StatySQLite

/// Goes over what a session's chain is made of: its events, each with its detail, as hashes.
struct ContentWalk {
  /// What is found at one number.
  enum Step {
    /// An event; without a hash if it holds something that no event can say.
    case event(EventRow, hash: UInt64?)
    /// A detail to which there is no event.
    case strayDetail(seq: Int64)
  }

  private let hashes: ContentHashes
  private let first: Int64
  private let events: EventCursor
  private let details: DetailCursor
  private var detail: EventDetail?
  // An event that was read while a stray detail before it is told.
  private var held: Step?

  /// - Parameter watch: is told how far it has come.
  init(
    _ connection: Connection, _ session: SessionRecord, _ hashes: ContentHashes,
    _ watch: ReadingWatch? = nil
  ) throws {
    self.hashes = hashes
    first = session.firstSeq
    let last = session.lastSeq ?? session.lastOwnSeq
    events = try EventCursor(
      connection, from: first, through: session.lastOwnSeq,
      pass: watch?.pass(from: first, through: last))
    details = try DetailCursor(connection, from: first, through: session.lastOwnSeq)
    detail = try details.next()
  }

  /// The next step, in order of the numbers; none at the end.
  ///
  /// Of several stray details between two events only the first is told.
  mutating func next() throws -> Step? {
    if let held {
      self.held = nil
      return held
    }
    guard let row = try events.next() else {
      guard let stray = detail else { return nil }
      detail = try details.next()
      return .strayDetail(seq: stray.seq)
    }
    let hash = events.isWhole(row) ? hashes.hash(row, first: first) : nil
    guard let found = detail, found.seq <= row.seq else { return .event(row, hash: hash) }
    if found.seq == row.seq { return try withDetail(row, hash) }
    while let stray = detail, stray.seq < row.seq { detail = try details.next() }
    held = try withDetail(row, hash)
    return .strayDetail(seq: found.seq)
  }

  private mutating func withDetail(_ row: EventRow, _ hash: UInt64?) throws -> Step {
    guard let found = detail, found.seq == row.seq else { return .event(row, hash: hash) }
    let extra = details.isWhole(found) ? hashes.hash(found, first: first) : nil
    detail = try details.next()
    guard let hash, let extra else { return .event(row, hash: nil) }
    return .event(row, hash: hash &+ extra)
  }
}
