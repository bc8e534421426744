package import StatyHistory
import StatySQLite

/// Compares the content of a history with its checksum chain.
package struct ChainVerifier {
  private let reader: HistoryReader

  /// A verifier of the history that this reader reads.
  package init(_ reader: HistoryReader) {
    self.reader = reader
  }

  /// The first place where a session differs from what was stored; none if there is no such place.
  ///
  /// Reads the whole session once, in constant memory except for names. A session that is being
  /// recorded is read as it is at one moment.
  package func firstDamage(session id: Int64) throws(HistoryError) -> ChainDamage? {
    try asHistoryError { try reader.consistently { try damage(session: id) } }
  }

  private func damage(session id: Int64) throws -> ChainDamage? {
    let connection = reader.connection
    let session = try reader.session(id)
    var walk = try VerifyingWalk(session, reader)
    for run in try ChainTable(connection: connection, session: session).runs(from: session.firstSeq)
    {
      if let damage = try walk.compare(run) { return damage }
    }
    if let damage = walk.end() { return damage }
    if let seq = try connection.firstEventInLoss(of: session) { return ChainDamage(.notLost, seq) }
    let drawn = session.lastSeq.map { $0 &- session.firstSeq &+ 1 } ?? 0
    guard session.lastTime == walk.time, session.observed >= drawn, walk.isAccounted,
      try connection.holdsSeal(of: session), try connection.holdsRoutes(of: session.id),
      try walk.isFollowedThrough(reader.firstUnfollowed(session: session))
    else { return ChainDamage(.session, session.firstSeq, through: session.lastSeq) }
    guard try connection.sumOfVisits(of: session) == walk.visits else {
      return ChainDamage(.visits, session.firstSeq, through: session.lastSeq)
    }
    guard try connection.holdsJudgement(of: session) else {
      return ChainDamage(.findings, session.firstSeq, through: session.lastSeq)
    }
    return nil
  }
}

/// One pass over the events of a session that verifies everything that follows from them.
private struct VerifyingWalk {
  private let session: SessionRecord
  private let hashes: ContentHashes
  private var events: SessionEvents
  private var places: PlaceCheck
  private var following: SessionFollowing
  /// Whether the visits can be followed so far: in an open session, up to the first gap.
  private var isFollowed = true
  /// The sum of the visit rows that follow from the events.
  private(set) var visits = VisitSum()
  private var followed = 0
  /// The sum of the earlier run, from which its link is made.
  private var sum: UInt64
  /// The next event; none at the end.
  private var row: EventRow?
  private var nextLoss = 0
  private var last: Int64?
  private var total: Int64 = 0
  /// The time of the last event so far.
  private(set) var time: Int64 = 0

  init(_ session: SessionRecord, _ reader: HistoryReader) throws {
    self.session = session
    hashes = try reader.contentHashes(session: session.id)
    events = try SessionEvents(reader, session: session)
    places = PlaceCheck(session, reader.connection, events.losses)
    following = SessionFollowing(session)
    try following.introduce(reader.connection, session.id)
    sum = session.chainSeed
    row = try events.next()
  }

  private var isOver: Bool { session.ended != .open }

  /// Verifies the events of this run.
  mutating func compare(_ run: ChainRun) throws -> ChainDamage? {
    var found = ChainRun(first: 0, last: 0, count: 0, sum: ChainRun.link(sum))
    var (unreadable, misplaced, gap): (Int64?, Int64?, Int64?)
    var expected = run.first
    while let row, row.seq <= run.last {
      if let stray = events.strayDetail { return ChainDamage(.added, stray) }
      if row.seq < run.first { return ChainDamage(.added, row.seq) }
      if gap == nil, let missing = missing(from: expected, before: row.seq) { gap = missing }
      let hash = events.hash(of: row, hashes, first: session.firstSeq)
      if hash == nil, unreadable == nil { unreadable = row.seq }
      if try places.isWrong(row), misplaced == nil { misplaced = row.seq }
      if found.count == 0 { found.first = row.seq }
      found.last = row.seq
      found.count += 1
      found.sum &+= hash ?? 0
      follow(row)
      (expected, time) = (row.seq + 1, row.time)
      self.row = try events.next()
    }
    if let stray = events.strayDetail, stray <= run.last { return ChainDamage(.added, stray) }
    if found.count < run.count {
      let gap = gap ?? missing(from: expected, before: run.last + 1)
      return ChainDamage(.missing, gap ?? run.first, through: run.last)
    }
    if found.count > run.count { return ChainDamage(.added, run.first, through: run.last) }
    if let unreadable { return ChainDamage(.changed, unreadable) }
    if found != run { return ChainDamage(.changed, run.first, through: run.last) }
    if let misplaced { return ChainDamage(.place, misplaced) }
    sum = run.sum
    last = run.last
    total += run.count
    return nil
  }

  /// Whether no number is lost twice, and each that the session has drawn is an event's or lost: while it is open,
  /// its events may still come.
  var isAccounted: Bool {
    let losses = events.losses
    if zip(losses, losses.dropFirst()).contains(where: { $0.lastSeq >= $1.firstSeq }) {
      return false
    }
    return !isOver || session.observed <= losses.reduce(session.stored) { $0 &+ $1.count }
  }

  /// Whether the rows of visits include the events before this number, as they do when a session has ended.
  func isFollowedThrough(_ next: Int64) -> Bool {
    !isOver || !isFollowed || session.lastSeq == nil || next == following.next
  }

  /// The first number in a range that is neither an event nor lost.
  private mutating func missing(from first: Int64, before end: Int64) -> Int64? {
    var expected = first
    while expected < end, nextLoss < events.losses.count,
      events.losses[nextLoss].firstSeq <= expected
    {
      // A loss may contain events, and may end behind them.
      if events.losses[nextLoss].lastSeq >= end { return nil }
      expected = max(expected, events.losses[nextLoss].lastSeq + 1)
      nextLoss += 1
    }
    return expected < end ? expected : nil
  }

  private mutating func follow(_ row: EventRow) {
    isFollowed = isFollowed && following.take(row, of: &events, isOver: isOver)
    followed += 1
    if followed % 10_000 == 0 { visits.add(following.takeRows(onlyClosed: true)) }
  }

  /// Verifies what comes behind the last run.
  mutating func end() -> ChainDamage? {
    if let stray = events.strayDetail { return ChainDamage(.added, stray) }
    if let row { return ChainDamage(.added, row.seq) }
    if isFollowed { following.takeRest(of: &events, isOver: isOver) }
    if session.lastSeq != nil { visits.add(following.takeRows()) }
    // Runs and events may be missing together at the end.
    let end = session.lastSeq ?? session.firstSeq - 1
    let next = (last ?? session.firstSeq - 1) + 1
    if end >= next { return ChainDamage(.missing, next, through: end) }
    if end < next - 1 { return ChainDamage(.added, end + 1, through: next - 1) }
    guard total != session.stored else { return nil }
    return ChainDamage(
      total < session.stored ? .missing : .added, session.firstSeq, through: max(end, next))
  }
}

/// The sum of some visit rows.
///
/// It is a sum of hashes: the rows come in the order in which visits end, and are too many to be
/// sorted.
private struct VisitSum: Equatable {
  private var count = 0
  private var hash: UInt64 = 0

  mutating func add(_ rows: [VisitRow]) {
    for row in rows { add(row) }
  }

  mutating func add(_ row: VisitRow) {
    count += 1
    hash &+= row.hash
  }
}

extension Connection {
  /// The sum of the stored rows of a session's visits; none if a number is out of its range.
  fileprivate func sumOfVisits(of session: SessionRecord) throws -> VisitSum? {
    let rows = try prepare(
      "SELECT * FROM visit WHERE seq BETWEEN ?1 AND ?2", session.firstSeq, session.lastOwnSeq)
    var sum = VisitSum()
    while try rows.step() {
      guard let row = VisitRow(rows) else { return nil }
      sum.add(row)
    }
    return sum
  }
}

extension VisitRow {
  fileprivate var hash: UInt64 {
    var hash = ContentHash.fold(UInt64(bitPattern: seq), UInt64(bitPattern: what))
    hash = ContentHash.fold(hash, UInt64(UInt32(bitPattern: state)))
    for value in [from.map(Int64.init), asked, turn, free, told, entered, dismissed, gone] {
      hash = ContentHash.fold(hash, value.map { UInt64(bitPattern: $0) } ?? 0x6e6f_6e65)
    }
    return hash
  }
}

/// The first place where a session's events differ from those that were stored.
package struct ChainDamage: Hashable, Sendable {
  /// What is wrong.
  package enum Kind: String, Hashable, Sendable {
    /// An event, or what its numbers stand for, was changed.
    case changed
    /// An event is missing.
    case missing
    /// A recorder never stored this event.
    case added
    /// An event exists that is recorded as lost.
    case notLost
    /// An event has an impossible place.
    case place
    /// The rows of its visits do not follow from its events.
    case visits
    /// The findings, or what is said of the rules that found them, are not as they were stored.
    case findings
    /// The session's own row or what belongs to it was changed: its end, its losses, its length, its
    /// declared transitions, or its readings of the wall clock.
    case session
  }

  /// What is wrong.
  package let kind: Kind
  /// The first number in doubt: everything before it is as it was stored.
  package let firstSeq: Int64
  /// The last number in doubt.
  ///
  /// A checksum covers a run of events, so more than one number may be in doubt.
  package let lastSeq: Int64

  init(_ kind: Kind, _ first: Int64, through last: Int64? = nil) {
    self.kind = kind
    firstSeq = first
    lastSeq = max(first, last ?? first)
  }
}

extension ChainDamage: CustomStringConvertible {
  /// The damage in one sentence.
  package var description: String {
    let place =
      firstSeq == lastSeq ? "at \(firstSeq)" : "somewhere from \(firstSeq) to \(lastSeq)"
    return switch kind {
    case .changed: "an event was changed \(place)"
    case .missing: "an event is missing \(place)"
    case .added: "an event was added \(place)"
    case .notLost: "an event that is said to be lost is there \(place)"
    case .place: "an event lies inside one in which it cannot lie \(place)"
    case .visits: "what is said of the visits does not follow from the events"
    case .findings: "the stored findings were changed"
    case .session: "the description of the session was changed"
    }
  }
}

/// Finds events of a session with impossible places.
///
/// An event lies inside an earlier one of its own thread. That one may be missing only among lost
/// events, or while the session is open: an event that is told late is stored late, too.
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

  /// Whether the next event has an impossible place.
  mutating func isWrong(_ row: EventRow) throws -> Bool {
    let slot = Int(truncatingIfNeeded: row.seq) & (Self.size - 1)
    numbers[slot] = row.seq
    threads[slot] = row.thread
    if row.inside == 0 { return false }
    if row.inside >= row.seq { return true }
    // The earlier sessions of the same process may have been deleted.
    if row.inside < session.firstSeq { return session.run == nil }
    guard let thread = try thread(of: row) else { return !mayBeMissing(row.inside) }
    // 0 is no thread: an imported history may not say.
    return thread != row.thread && thread != 0 && row.thread != 0
  }

  /// The thread of the event inside which this one lies; none if there is no such event.
  private func thread(of row: EventRow) throws -> UInt8? {
    let slot = Int(truncatingIfNeeded: row.inside) & (Self.size - 1)
    if numbers[slot] == row.inside { return threads[slot] }
    if row.seq - row.inside < Self.size { return nil }
    let rows = try connection.prepare("SELECT what FROM event WHERE seq = ?1", row.inside)
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
