package import StatySQLite

/// One row of the checksum chain, which covers a run of stored events.
package struct ChainRun: Equatable {
  package var first: Int64
  package var last: Int64
  /// How many events.
  package var count: Int64
  /// The sum of its events' hashes and the link of the run before it.
  ///
  /// It is a sum, so that a late event can be added to its run. The hash of an event includes its
  /// place.
  package var sum: UInt64

  package init(first: Int64, last: Int64, count: Int64, sum: UInt64) {
    (self.first, self.last, self.count, self.sum) = (first, last, count, sum)
  }

  /// The link that a run with this sum hands to the next.
  package static func link(_ sum: UInt64) -> UInt64 {
    ContentHash.fold(sum, 0x5354_5459)
  }
}

extension SessionRecord {
  /// The link of the session's first run: the hash of the session itself.
  package var chainSeed: UInt64 {
    let texts = [uuid, app, appVersion, os].map(ContentHash.text)
    var seed = texts.dropFirst().reduce(texts[0]) { ContentHash.fold($0, $1) }
    seed = ContentHash.fold(seed, UInt64(UInt32(bitPattern: pid)))
    return ContentHash.fold(seed, UInt64(bitPattern: wallTime))
  }
}

/// The last, growing part of a session's chain.
package struct ChainTail {
  /// The most events of a run; a late event is added even to a full run.
  package var longest: Int64 = 4_096
  /// The most bytes of payloads and notes of a run.
  package static let mostBytes = 1 << 17

  /// The sum before the last run.
  private var previous: UInt64
  /// The last run, if there is one.
  private(set) var run: ChainRun?
  /// The full runs that were not taken yet.
  private var filled: [ChainRun] = []
  /// The bytes of the last run's payloads that were added here.
  private var bytes = 0

  package init(previous: UInt64, run: ChainRun?) {
    self.previous = previous
    self.run = run
  }

  /// Adds an event with a number higher than those of all runs but the last.
  @inline(__always)
  package mutating func add(_ seq: Int64, _ hash: UInt64) {
    guard var open = run, open.count < longest, bytes < Self.mostBytes else {
      begin(seq, hash)
      return
    }
    open.last = max(open.last, seq)
    open.count += 1
    open.sum &+= hash
    run = open
  }

  /// Counts the bytes of the event that was added last.
  package mutating func addBytes(_ count: Int) { bytes += count }

  @inline(never)
  private mutating func begin(_ seq: Int64, _ hash: UInt64) {
    if let run {
      // An event below a full run's last number belongs to that run, although it is full.
      if seq < run.last {
        self.run = ChainRun(
          first: run.first, last: run.last, count: run.count + 1, sum: run.sum &+ hash)
        return
      }
      filled.append(run)
      previous = run.sum
    }
    bytes = 0
    run = ChainRun(first: seq, last: seq, count: 1, sum: ChainRun.link(previous) &+ hash)
  }

  /// Every run that has changed since the last call.
  package mutating func takeChanged() -> [ChainRun] {
    defer { filled = [] }
    return filled + (run.map { [$0] } ?? [])
  }
}

/// The rows of one session in the table `chain`.
package struct ChainTable {
  package let connection: Connection
  package let session: SessionRecord

  package init(connection: Connection, session: SessionRecord) {
    (self.connection, self.session) = (connection, session)
  }

  /// The last, growing part of the chain.
  package func tail() throws -> ChainTail {
    let last = try runs(
      in: session.firstSeq...max(session.firstSeq, session.lastOwnSeq), latest: 2)
    return ChainTail(
      previous: last.dropFirst().first?.sum ?? session.chainSeed, run: last.first)
  }

  /// Writes these runs over those with the same first number.
  package func write(_ runs: [ChainRun]) throws {
    let insert = try connection.prepare(
      """
      INSERT INTO chain(first_seq, last_seq, count, sum) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT(first_seq) DO UPDATE
      SET last_seq = excluded.last_seq, count = excluded.count, sum = excluded.sum
      """)
    for run in runs {
      try insert.run(run.first, run.last, run.count, Int64(bitPattern: run.sum))
    }
  }

  /// Adds events that come after later ones were summed up, in the order of their numbers.
  ///
  /// This costs a row for each run from theirs to the end. These are one or two if a thread was
  /// delayed between drawing its number and writing its event.
  package func addLate(_ late: [(seq: Int64, hash: UInt64)]) throws {
    guard let earliest = late.first?.seq else { return }
    let start = try beginning(of: earliest)
    var runs = try self.runs(from: start)
    guard !runs.isEmpty else { return }
    var before = try sum(before: start)
    // The sum of each run's own events, without the link of the run before it.
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
  package func remove(from start: Int64) throws {
    try connection.run(
      "DELETE FROM chain WHERE first_seq BETWEEN ?1 AND ?2", start, session.lastOwnSeq)
  }

  /// The session's runs from the one that begins with `start`, in order.
  package func runs(from start: Int64) throws -> [ChainRun] {
    try runs(in: start...max(start, session.lastOwnSeq))
  }

  /// The first number of the run that this number belongs to.
  private func beginning(of seq: Int64) throws -> Int64 {
    try latest(upTo: seq)?.first ?? session.firstSeq
  }

  private func sum(before start: Int64) throws -> UInt64 {
    try latest(upTo: start - 1)?.sum ?? session.chainSeed
  }

  /// The last run that begins with this number or earlier.
  private func latest(upTo seq: Int64) throws -> ChainRun? {
    guard seq >= session.firstSeq else { return nil }
    return try runs(in: session.firstSeq...seq, latest: 1).first
  }

  /// The runs that begin with these numbers, in order; only so many of the latest, the last first,
  /// if a number is given.
  private func runs(in firsts: ClosedRange<Int64>, latest count: Int? = nil) throws -> [ChainRun] {
    let rows = try connection.prepare(
      "SELECT first_seq, last_seq, count, sum FROM chain WHERE first_seq BETWEEN ?1 AND ?2 "
        + "ORDER BY first_seq" + (count.map { " DESC LIMIT \($0)" } ?? ""), firsts.lowerBound,
      firsts.upperBound)
    var runs: [ChainRun] = []
    while try rows.step() {
      runs.append(
        ChainRun(
          first: rows.int64(at: 0), last: rows.int64(at: 1), count: rows.int64(at: 2),
          sum: UInt64(bitPattern: rows.int64(at: 3))))
    }
    return runs
  }
}
