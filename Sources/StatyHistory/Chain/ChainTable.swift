import StatySQLite

/// The rows of one session in the table `chain`.
struct ChainTable {
  let connection: Connection
  let session: SessionRecord

  /// The growing end.
  func tail() throws -> ChainTail {
    let rows = try connection.prepare(
      """
      SELECT first_seq, last_seq, count, sum FROM chain WHERE first_seq BETWEEN ?1 AND ?2
      ORDER BY first_seq DESC LIMIT 2
      """)
    try rows.bind(session.firstSeq, at: 1)
    try rows.bind(session.lastOwnSeq, at: 2)
    guard try rows.step() else { return ChainTail(previous: session.chainSeed, run: nil) }
    let last = run(of: rows)
    let previous = try rows.step() ? run(of: rows).sum : session.chainSeed
    return ChainTail(previous: previous, run: last)
  }

  /// Writes these runs over those with the same first number.
  func write(_ runs: [ChainRun]) throws {
    let insert = try connection.prepare(
      """
      INSERT INTO chain(first_seq, last_seq, count, sum) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT(first_seq) DO UPDATE
      SET last_seq = excluded.last_seq, count = excluded.count, sum = excluded.sum
      """)
    for run in runs {
      try insert.bind(run.first, at: 1)
      try insert.bind(run.last, at: 2)
      try insert.bind(run.count, at: 3)
      try insert.bind(Int64(bitPattern: run.sum), at: 4)
      try insert.run()
    }
  }

  /// Takes in events that come after later ones were summed up, in order of seq.
  ///
  /// Costs a row for each run from theirs to the end; that is one or two when a thread was held up
  /// between drawing its number and writing its event.
  func addLate(_ late: [(seq: Int64, hash: UInt64)]) throws {
    guard let earliest = late.first?.seq else { return }
    let start = try beginning(of: earliest)
    var runs = try self.runs(from: start)
    guard !runs.isEmpty else { return }
    var before = try sum(before: start)
    // What each run's own events add up to, without what the run before it hands on.
    var own: [UInt64] = []
    for run in runs {
      own.append(run.sum &- ChainRun.link(before))
      before = run.sum
    }
    for event in late {
      let index = runs.lastIndex { $0.first <= event.seq } ?? runs.startIndex
      own[index] &+= event.hash
      runs[index].count += 1
      runs[index].first = min(runs[index].first, event.seq)
      runs[index].last = max(runs[index].last, event.seq)
    }
    before = try sum(before: start)
    for index in runs.indices {
      runs[index].sum = ChainRun.link(before) &+ own[index]
      before = runs[index].sum
    }
    try remove(from: start)
    try write(runs)
  }

  /// Removes the runs that begin with this number or later.
  func remove(from start: Int64) throws {
    let delete = try connection.prepare("DELETE FROM chain WHERE first_seq BETWEEN ?1 AND ?2")
    try delete.bind(start, at: 1)
    try delete.bind(session.lastOwnSeq, at: 2)
    try delete.run()
  }

  /// The session's runs from the one that begins with `start`, in order.
  func runs(from start: Int64) throws -> [ChainRun] {
    let rows = try connection.prepare(
      """
      SELECT first_seq, last_seq, count, sum FROM chain WHERE first_seq BETWEEN ?1 AND ?2
      ORDER BY first_seq
      """)
    try rows.bind(start, at: 1)
    try rows.bind(session.lastOwnSeq, at: 2)
    var runs: [ChainRun] = []
    while try rows.step() { runs.append(run(of: rows)) }
    return runs
  }

  /// Where the run in which this number belongs begins.
  private func beginning(of seq: Int64) throws -> Int64 {
    let rows = try connection.prepare(
      "SELECT max(first_seq) FROM chain WHERE first_seq BETWEEN ?1 AND ?2")
    try rows.bind(session.firstSeq, at: 1)
    try rows.bind(seq, at: 2)
    guard try rows.step(), !rows.isNull(at: 0) else { return session.firstSeq }
    return rows.int64(at: 0)
  }

  private func sum(before start: Int64) throws -> UInt64 {
    let rows = try connection.prepare(
      """
      SELECT first_seq, last_seq, count, sum FROM chain WHERE first_seq >= ?1 AND first_seq < ?2
      ORDER BY first_seq DESC LIMIT 1
      """)
    try rows.bind(session.firstSeq, at: 1)
    try rows.bind(start, at: 2)
    return try rows.step() ? run(of: rows).sum : session.chainSeed
  }

  private func run(of rows: Statement) -> ChainRun {
    ChainRun(
      first: rows.int64(at: 0), last: rows.int64(at: 1), count: rows.int64(at: 2),
      sum: UInt64(bitPattern: rows.int64(at: 3)))
  }
}
