package import StatySQLite

/// Follows the visits of a session in the order of its events, up to the first missing one.
package struct SessionFollowing {
  private(set) var fold: VisitFold
  /// Finds broken rules on the way, if findings are wanted.
  private(set) var judge: (any SessionJudge)?
  /// The first number that is neither followed nor lost.
  package private(set) var next: Int64
  private(set) var lastController: Int32 = 0
  private var lastName: Int32 = 0
  /// The first number of the last loss that was followed, and the highest last number.
  private var lastLoss: Int64 = .min
  private var lostThrough: Int64 = .min

  /// Follows a session from its beginning.
  package init(_ session: SessionRecord, judge: (any SessionJudge)? = nil) {
    self.judge = judge
    fold = VisitFold(firstSeq: session.firstSeq, keepsRows: true)
    next = session.firstSeq
  }

  package mutating func take(_ row: EventRow, _ detail: EventDetail?) {
    take(row, detail.map { FoldedDetail($0) } ?? FoldedDetail())
  }

  package mutating func take(_ row: EventRow, _ detail: FoldedDetail) {
    if fold.take(row, detail) { judge?.take(fold.change) } else { judge?.pass(row) }
    next = max(row.seq &+ 1, next)
  }

  /// Follows the session's events in the file from the next number on, up to the first missing one that may still come.
  ///
  /// - Parameters:
  ///   - isOver: whether no missing number can come any more.
  ///   - store: is given final rows and findings from time to time.
  package mutating func catchUp(
    _ connection: Connection, _ session: SessionRecord, isOver: Bool,
    store: ([VisitRow], [FindingRecord]) throws -> Void
  ) throws {
    try introduce(connection, session.id)
    try learn(connection)
    var count = 0
    while true {
      // A part of them at a time: after an overload there are many, and it may not follow far.
      let losses = try connection.losses(of: session, after: lastLoss, atMost: Self.lossesAtATime)
      let isLast = losses.count < Self.lossesAtATime
      let end = isLast ? session.lastOwnSeq : losses[losses.count - 1].firstSeq
      var events = try SessionEvents(
        EventCursor(connection, from: next, through: end),
        DetailCursor(connection, from: next, through: end), losses)
      while let row = try events.next() {
        guard take(row, of: &events, isOver: isOver) else { return }
        count += 1
        if count % 10_000 == 0 {
          try store(fold.takeRows(onlyClosed: true), takeFindings(connection))
        }
      }
      lose(&events, before: .max, isOver)
      if isLast || lastLoss != end { return takeRest(of: &events, isOver: isOver) }
    }
  }

  private static let lossesAtATime = 1_000

  /// Follows the event that was read last, and the losses before it.
  ///
  /// - Returns: whether it can be followed; `false` if an earlier one may still come.
  package mutating func take(_ row: EventRow, of events: inout SessionEvents, isOver: Bool) -> Bool
  {
    lose(&events, before: row.seq, isOver)
    if row.seq > next { next = min(row.seq, max(next, lostThrough &+ 1)) }
    if row.seq > next, !isOver { return false }
    take(row, events.detail)
    return true
  }

  /// Follows the losses behind the last event.
  package mutating func takeRest(of events: inout SessionEvents, isOver: Bool) {
    lose(&events, before: .max, isOver)
    next = max(next, lostThrough &+ 1)
  }

  /// Follows the losses that come next, or all.
  private mutating func lose(_ events: inout SessionEvents, before seq: Int64, _ isOver: Bool) {
    while let loss = events.takeLoss(
      before: isOver ? seq : min(seq, max(next, lostThrough &+ 1) &+ 1))
    {
      fold.lose(loss)
      (lastLoss, lostThrough) = (loss.firstSeq, max(lostThrough, loss.lastSeq))
    }
  }

  /// Adds the controllers that the file has by now.
  package mutating func introduce(_ connection: Connection, _ session: Int64) throws {
    for controller in try connection.controllers(session: session, after: lastController) {
      fold.add(controller)
      lastController = controller.id
    }
  }

  /// Adds the names that the file has by now, if a controller needs them.
  package mutating func learn(_ connection: Connection) throws {
    guard judge != nil, fold.needsNames else { return }
    let rows = try connection.prepare(
      "SELECT id, text FROM name WHERE id > ?1 ORDER BY id", Int64(lastName))
    var names: [Int32: String] = [:]
    while try rows.step() {
      guard let number = Int32(exactly: rows.int64(at: 0)) else { continue }
      names[number] = try rows.string(at: 1)
      lastName = number
    }
    if !names.isEmpty { fold.learn(names: names) }
  }

  /// The findings that have become certain since the last call.
  package mutating func takeFindings(_ connection: Connection) throws -> [FindingRecord] {
    try connection.naming { judge?.drain(naming: $0) } ?? []
  }

  /// The further findings if the session ended as this says; none if findings are not wanted.
  package func findingsAtEnd(
    _ session: SessionRecord, _ connection: Connection
  ) throws -> [FindingRecord]? {
    let ending = fold.ending(at: session.endTime, isCut: session.isCut)
    return try connection.naming { judge?.findings(at: ending, naming: $0) }
  }

  package mutating func takeRows(onlyClosed: Bool = false) -> [VisitRow] {
    fold.takeRows(onlyClosed: onlyClosed)
  }
}

extension Connection {
  /// Gives `body` a function that finds the text of a name; throws if a text could not be read.
  ///
  /// A sentence that lacks a name for that reason must not be stored.
  fileprivate func naming<Result>(
    _ body: (@escaping (Int32) -> String?) -> Result
  ) throws -> Result {
    var failure: (any Error)?
    let result = body { number in
      do {
        return try self.name(number)
      } catch {
        failure = error
        return nil
      }
    }
    if let failure { throw failure }
    return result
  }

  /// The text of a name; none if there is none of that number.
  private func name(_ number: Int32) throws -> String? {
    if number == 0 { return nil }
    let rows = try prepare("SELECT text FROM name WHERE id = ?1", Int64(number))
    return try rows.step() ? try rows.string(at: 0) : nil
  }
}
