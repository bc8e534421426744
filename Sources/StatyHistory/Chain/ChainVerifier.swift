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
  /// Reads the whole session, in constant memory but for the names. A session that is being
  /// recorded is seen as it is at one moment.
  package func firstDamage(session id: Int64) throws(HistoryError) -> ChainDamage? {
    try asHistoryError {
      if reader.connection.isInTransaction { return try damage(session: id) }
      return try reader.consistently { try damage(session: id) }
    }
  }

  private func damage(session id: Int64) throws -> ChainDamage? {
    let connection = reader.connection
    let session = try reader.session(id)
    let hashes = try reader.contentHashes(session: id)
    let table = ChainTable(connection: connection, session: session)
    var comparison = try Comparison(
      walk: try ContentWalk(connection, session, hashes, reader.watch),
      places: try PlaceCheck(session, reader), sum: session.chainSeed)
    let runs = try table.runs(from: session.firstSeq)
    for run in runs {
      guard let damage = try comparison.compare(run) else { continue }
      guard damage.kind == .missing else { return damage }
      return ChainDamage(.missing, try firstGap(in: run, of: id) ?? run.first, through: run.last)
    }
    if let damage = try comparison.remainder() { return damage }
    if let damage = comparison.compareEnd(of: session) { return damage }
    if let seq = try connection.firstEventInLoss(of: session) { return ChainDamage(.notLost, seq) }
    if let damage = try damage(beside: session, endingAt: comparison.time) { return damage }
    let isFollowed = try VisitVerifier.holds(session, in: connection)
    return isFollowed ? nil : ChainDamage(.visits, session.firstSeq, through: session.lastSeq)
  }

  /// The damage in what a session has besides its events.
  private func damage(
    beside session: SessionRecord, endingAt time: Int64
  ) throws -> ChainDamage? {
    let drawn = session.lastSeq.map { $0 &- session.firstSeq &+ 1 } ?? 0
    let isSame = session.lastTime == time && session.observed >= drawn
    if isSame, try reader.connection.holdsSeal(of: session) { return nil }
    return ChainDamage(
      .session, session.firstSeq, through: session.lastSeq ?? session.firstSeq)
  }

  /// The first number of a run that has no event and was not lost either.
  private func firstGap(in run: ChainRun, of session: Int64) throws -> Int64? {
    let losses = try reader.losses(session: session)
    let events = try reader.events(session: session, from: run.first, through: run.last)
    var expected = run.first
    var loss = losses.startIndex
    func skipLosses() {
      while loss < losses.endIndex, losses[loss].firstSeq <= expected {
        if losses[loss].lastSeq >= expected { expected = losses[loss].lastSeq + 1 }
        loss += 1
      }
    }
    while let row = try events.next() {
      if row.seq > expected { skipLosses() }
      if row.seq > expected { return expected }
      expected = max(expected, row.seq + 1)
    }
    skipLosses()
    return expected <= run.last ? expected : nil
  }
}

/// The events of a session, compared with the runs of its chain.
private struct Comparison {
  var walk: ContentWalk
  var places: PlaceCheck
  /// What the run before hands on is made of.
  var sum: UInt64
  private var step: ContentWalk.Step?
  private var last: Int64?
  private var total: Int64 = 0
  /// The time of the last event so far.
  private(set) var time: Int64 = 0

  init(walk: ContentWalk, places: PlaceCheck, sum: UInt64) throws {
    self.walk = walk
    self.places = places
    self.sum = sum
    step = try self.walk.next()
  }

  /// What is the matter with the events of this run.
  mutating func compare(_ run: ChainRun) throws -> ChainDamage? {
    var found = ChainRun(first: 0, last: 0, count: 0, sum: ChainRun.link(sum))
    var unreadable: Int64?
    var misplaced: Int64?
    while case .event(let row, let hash)? = step, row.seq <= run.last {
      if row.seq < run.first { return ChainDamage(.added, row.seq) }
      if hash == nil, unreadable == nil { unreadable = row.seq }
      if try places.isWrong(row), misplaced == nil { misplaced = row.seq }
      if found.count == 0 { found.first = row.seq }
      found.last = row.seq
      found.count += 1
      time = row.time
      found.sum &+= hash ?? 0
      step = try walk.next()
    }
    if case .strayDetail(let seq)? = step, seq <= run.last { return ChainDamage(.added, seq) }
    if found.count < run.count { return ChainDamage(.missing, run.first, through: run.last) }
    if found.count > run.count { return ChainDamage(.added, run.first, through: run.last) }
    if let unreadable { return ChainDamage(.changed, unreadable) }
    if found != run { return ChainDamage(.changed, run.first, through: run.last) }
    if let misplaced { return ChainDamage(.place, misplaced) }
    sum = run.sum
    last = run.last
    total += run.count
    return nil
  }

  /// What there is beyond the last run.
  func remainder() throws -> ChainDamage? {
    switch step {
    case .event(let row, _)?: ChainDamage(.added, row.seq)
    case .strayDetail(let seq)?: ChainDamage(.added, seq)
    case nil: nil
    }
  }

  /// Whether runs and events are missing together at the end.
  func compareEnd(of session: SessionRecord) -> ChainDamage? {
    let end = session.lastSeq ?? session.firstSeq - 1
    let next = (last ?? session.firstSeq - 1) + 1
    if end >= next { return ChainDamage(.missing, next, through: end) }
    if end < next - 1 { return ChainDamage(.added, end + 1, through: next - 1) }
    guard total != session.stored else { return nil }
    return ChainDamage(
      total < session.stored ? .missing : .added, session.firstSeq, through: max(end, next))
  }
}
