import StatySQLite

extension HistoryWriter {
  /// Stores events of a session, with everything that belongs to them, in one transaction.
  ///
  /// Rows that are stored already do not change, so the same rows may be given again. They may come
  /// in any order; in order is fastest.
  ///
  /// - Parameters:
  ///   - rows: the events. They are not used after the call.
  ///   - details: the details of some of the events. A detail without a new row is left out.
  ///   - observed: how many numbers the session has drawn so far, if that is known.
  /// - Returns: how many events were new.
  @discardableResult
  package func append(
    _ rows: UnsafeBufferPointer<EventRow>, details: [EventDetail] = [], to session: Int64,
    observed: Int64? = nil
  ) throws(HistoryError) -> Int {
    try writing { try add(rows, details, to: session, observed: observed) }
  }

  /// The same as `append`, as a part of a transaction.
  func add(
    _ rows: UnsafeBufferPointer<EventRow>, _ details: [EventDetail], to session: Int64,
    observed: Int64?
  ) throws -> Int {
    var ledger = try ledger(of: session)
    let selected = try connection.newRows(rows, in: ledger.record)
    let sorted = details.inOrder()
    let count =
      if let selected {
        try selected.withUnsafeBufferPointer { try add($0, sorted, &ledger) }
      } else {
        try add(rows, sorted, &ledger)
      }
    if let observed { ledger.record.observed = max(ledger.record.observed, observed) }
    try store(&ledger)
    return count
  }

  /// Stores rows that are new and in order.
  private func add(
    _ rows: UnsafeBufferPointer<EventRow>, _ details: [EventDetail], _ ledger: inout SessionLedger
  ) throws -> Int {
    guard let last = rows.last else { return 0 }
    try fill(rows)
    // Also of the newest: what counted as lost may come late.
    try takeFromLosses(rows, of: ledger.record)
    let kept = try insert(details, of: rows)
    try chain(rows, kept, &ledger)
    let isBehind = last.seq <= ledger.record.lastSeq ?? .min
    ledger.payloadsLeftOut += Int64(kept.indices.count { kept[$0].isPayloadLeftOut })
    ledger.record.stored += Int64(rows.count)
    if last.seq > ledger.record.lastSeq ?? Int64.min {
      ledger.record.lastSeq = last.seq
      ledger.record.lastTime = last.time
    }
    let drawn = (ledger.record.lastSeq ?? last.seq) - ledger.record.firstSeq + 1
    ledger.record.observed = max(ledger.record.observed, drawn)
    try follow(rows, kept, of: ledger.record, isBehind: isBehind)
    return rows.count
  }

  private func fill(_ rows: UnsafeBufferPointer<EventRow>) throws {
    guard let first = rows.first, let last = rows.last else { return }
    let stored = try connection.prepare("SELECT coalesce(max(seq), 0) FROM event")
    _ = try stored.step()
    let highest = stored.int64(at: 0)
    let isBehind = highest == first.seq - 1
    stored.reset()
    let isWhole = last.seq - first.seq == Int64(rows.count) - 1
    let statement = try connection.prepare(
      isBehind && isWhole ? NewEvents.fillBehind : NewEvents.fill)
    do throws(SQLiteError) {
      try newEvents.fill(statement, with: rows)
    } catch {
      if error.code != .constraint { throw error }
      throw HistoryError.damaged("the table of events holds rows that its session does not own")
    }
  }

  /// Adds the rows, which are in order, and their details to the chain.
  private func chain(
    _ rows: UnsafeBufferPointer<EventRow>, _ details: [EventDetail], _ ledger: inout SessionLedger
  ) throws {
    // A local copy during the loop, so that it stays in registers.
    let hashes = catalog.hashes
    let first = ledger.record.firstSeq
    var tail = ledger.tail
    var lastRun = tail.run.map { $0.count > 0 ? $0.first : Int64.min } ?? Int64.min
    var late: [(seq: Int64, hash: UInt64)] = []
    var next = 0
    var bytes = 0
    for row in rows {
      guard var hash = hashes.hash(row, first: first) else {
        throw HistoryError.unknownNumber(seq: row.seq)
      }
      if next < details.count, details[next].seq == row.seq {
        guard let extra = hashes.hash(details[next], first: first) else {
          throw HistoryError.unknownNumber(seq: row.seq)
        }
        hash &+= extra
        next += 1
        bytes += details[next - 1].bytes
      }
      if row.seq < lastRun {
        late.append((row.seq, hash))
        continue
      }
      if !late.isEmpty {
        tail = try addLate(late, ledger)
        late = []
        lastRun = Int64.min
      }
      tail.add(row.seq, hash)
      if bytes > 0 {
        tail.addBytes(bytes)
        bytes = 0
      }
    }
    if !late.isEmpty { tail = try addLate(late, ledger) }
    ledger.tail = tail
  }

  /// Adds events to the stored part of the chain, and returns its new end.
  private func addLate(
    _ late: [(seq: Int64, hash: UInt64)], _ ledger: SessionLedger
  ) throws -> ChainTail {
    let table = ChainTable(connection: connection, session: ledger.record)
    try table.addLate(late)
    return try table.tail()
  }

  /// Stores the details of these rows, at most one for each.
  private func insert(
    _ details: [EventDetail], of rows: UnsafeBufferPointer<EventRow>
  ) throws -> [EventDetail] {
    let kept = details.belonging(to: rows)
    guard !kept.isEmpty else { return kept }
    if kept.contains(where: \.hasAsking) {
      let fill = try connection.prepare(NewAskings.fill)
      try kept.withUnsafeBufferPointer { details throws(SQLiteError) in
        try newAskings.fill(fill, with: details)
      }
    }
    let insert = try connection.prepare(EventDetail.insertion)
    for place in kept.indices where kept[place].hasRest { try kept[place].insert(with: insert) }
    return kept
  }
}

// A detail has references, so copying all of them costs as much as storing them. Nearly always they are
// in order and each has its row: then there is nothing to copy.
extension [EventDetail] {
  /// In the order of their numbers.
  fileprivate func inOrder() -> [EventDetail] {
    for place in indices.dropFirst() where self[place - 1].seq > self[place].seq {
      return sorted { $0.seq < $1.seq }
    }
    return self
  }

  /// Those of these rows, at most one for each.
  ///
  /// Both are in order.
  fileprivate func belonging(to rows: UnsafeBufferPointer<EventRow>) -> [EventDetail] {
    var places: [Int] = []
    places.reserveCapacity(count)
    var index = 0
    for place in indices {
      let seq = self[place].seq
      while index < rows.count, rows[index].seq < seq { index += 1 }
      guard index < rows.count, rows[index].seq == seq else { continue }
      if let last = places.last, self[last].seq == seq { continue }
      places.append(place)
    }
    return places.count == count ? self : places.map { self[$0] }
  }
}

extension Connection {
  /// The rows that are not stored yet, in the order of their numbers and each once; none if all are
  /// new and in order already.
  func newRows(
    _ rows: UnsafeBufferPointer<EventRow>, in session: SessionRecord
  ) throws -> [EventRow]? {
    var previous = session.lastSeq ?? session.firstSeq - 1
    var isNewAndInOrder = true
    for row in rows {
      guard row.seq >= session.firstSeq, row.seq <= session.lastOwnSeq else {
        throw HistoryError.foreignNumber(seq: row.seq, session: session.id)
      }
      if row.seq <= previous { isNewAndInOrder = false }
      previous = row.seq
    }
    if isNewAndInOrder { return nil }
    var sorted = Array(rows).sorted { $0.seq < $1.seq }
    let stored = try storedNumbers(from: sorted[0].seq, through: sorted[sorted.count - 1].seq)
    var last: Int64?
    sorted.removeAll { row in
      defer { last = row.seq }
      return row.seq == last || stored.contains(row.seq)
    }
    return sorted
  }

  /// Which of the numbers from the first to the last have an event.
  func storedNumbers(from first: Int64, through last: Int64) throws -> Set<Int64> {
    let rows = try prepare("SELECT seq FROM event WHERE seq BETWEEN ?1 AND ?2", first, last)
    var numbers: Set<Int64> = []
    while try rows.step() { numbers.insert(rows.int64(at: 0)) }
    return numbers
  }
}
