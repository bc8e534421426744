import StatySQLite

/// Compares what a history holds with its checksum chain.
package struct ChainVerifier {
  private let reader: HistoryReader

  /// A verifier of the history that this reader reads.
  package init(_ reader: HistoryReader) {
    self.reader = reader
  }

  /// The first place where a session is not as it was stored; none if all of it is.
  ///
  /// Reads the whole session once, in constant memory but for the names. A session that is being
  /// recorded is seen as it is at one moment.
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
    guard session.lastTime == walk.time, session.observed >= drawn,
      try connection.holdsSeal(of: session)
    else { return ChainDamage(.session, session.firstSeq, through: session.lastSeq) }
    guard try connection.sumOfVisits(of: session) == walk.visits else {
      return ChainDamage(.visits, session.firstSeq, through: session.lastSeq)
    }
    return nil
  }
}

/// One pass over the events of a session, in which everything is verified that follows from them.
private struct VerifyingWalk {
  private let session: SessionRecord
  private let hashes: ContentHashes
  private var events: SessionEvents
  private var places: PlaceCheck
  private var following: SessionFollowing
  /// Whether the visits can be followed so far: in a session that goes on, up to the first gap.
  private var isFollowed = true
  /// What the rows of visits that follow from the events add up to.
  private(set) var visits = VisitSum()
  private var followed = 0
  /// What the run before hands on is made of.
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

  /// What is the matter with the events of this run.
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

  /// The first number from one on, before another, that no loss has.
  private mutating func missing(from first: Int64, before end: Int64) -> Int64? {
    var expected = first
    while expected < end, nextLoss < events.losses.count,
      events.losses[nextLoss].firstSeq <= expected
    {
      // It may have events in it, and go on behind them.
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

  /// What is the matter with what comes behind the last run.
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

/// What rows of visits add up to.
///
/// A sum of hashes: the rows that follow are known in the order in which visits end, and are too many
/// to be sorted.
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
  /// What the stored rows of a session's visits add up to; none if one has a number out of its range.
  fileprivate func sumOfVisits(of session: SessionRecord) throws -> VisitSum? {
    let rows = try prepare("SELECT * FROM visit WHERE seq BETWEEN ?1 AND ?2")
    try rows.bind(session.firstSeq, at: 1)
    try rows.bind(session.lastOwnSeq, at: 2)
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

  /// The row that these columns say; none if a number is out of its range.
  fileprivate init?(_ rows: Statement) {
    func value(_ column: Int) -> Int64? { rows.isNull(at: column) ? nil : rows.int64(at: column) }
    let what = rows.int64(at: 1)
    guard let controller = Int32(exactly: what >> 5),
      let state = Int32(exactly: value(2) ?? 0)
    else { return nil }
    var from: Int32?
    if let number = value(3) {
      guard let known = Int32(exactly: number) else { return nil }
      from = known
    }
    self.init(
      seq: rows.int64(at: 0), controller: controller, outcome: UInt8(what & 31), state: state,
      from: from, asked: value(4), turn: value(5), free: value(6), told: value(7),
      entered: value(8), dismissed: value(9), gone: value(10))
  }
}
