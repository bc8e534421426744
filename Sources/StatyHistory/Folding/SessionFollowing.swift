import StatySQLite

/// Follows the visits of a session in the order of its events, and knows up to where.
struct SessionFollowing {
  private(set) var fold: VisitFold
  /// The first number that was neither taken in nor lost.
  private(set) var next: Int64
  private(set) var lastController: Int32 = 0
  /// The first number of the last loss that was taken in, and the highest last number.
  private var lastLoss: Int64 = .min
  private var lostThrough: Int64 = .min

  /// Follows a session from its beginning.
  init(_ session: SessionRecord) {
    fold = VisitFold(firstSeq: session.firstSeq, keepsRows: true)
    next = session.firstSeq
  }

  mutating func take(_ row: EventRow, _ detail: EventDetail?) {
    _ = fold.take(row, detail)
    next = max(row.seq &+ 1, next)
  }

  /// Takes in what the file has of a session from the next number on, up to the first that may still
  /// come.
  ///
  /// - Parameters:
  ///   - isOver: whether no missing number can come any more.
  ///   - store: is given rows that are final, now and then.
  mutating func catchUp(
    _ connection: Connection, _ session: SessionRecord, isOver: Bool,
    store: ([VisitRow]) throws -> Void
  ) throws {
    try introduce(connection, session.id)
    var losses = try connection.losses(of: session).filter { $0.firstSeq > lastLoss }[...]
    let events = try EventCursor(connection, from: next, through: session.lastOwnSeq)
    let details = try DetailCursor(connection, from: next, through: session.lastOwnSeq)
    var detail = try details.next()
    var count = 0
    while let row = try events.next() {
      lose(&losses, before: row.seq, isOver)
      if row.seq > next { next = min(row.seq, max(next, lostThrough &+ 1)) }
      if row.seq > next, !isOver { return }
      while let known = detail, known.seq < row.seq { detail = try details.next() }
      take(row, detail.flatMap { $0.seq == row.seq ? $0 : nil })
      count += 1
      if count % 10_000 == 0 { try store(fold.takeRows(onlyClosed: true)) }
    }
    lose(&losses, before: .max, isOver)
    next = max(next, lostThrough &+ 1)
  }

  /// Takes in the losses that follow what is known, or all.
  private mutating func lose(
    _ losses: inout ArraySlice<LossRecord>, before seq: Int64, _ isOver: Bool
  ) {
    while let loss = losses.first, loss.firstSeq < seq,
      isOver || loss.firstSeq <= max(next, lostThrough &+ 1)
    {
      fold.lose(loss)
      (lastLoss, lostThrough) = (loss.firstSeq, max(lostThrough, loss.lastSeq))
      losses.removeFirst()
    }
  }

  /// Takes in the controllers that the file has by now.
  mutating func introduce(_ connection: Connection, _ session: Int64) throws {
    for controller in try connection.controllers(session: session, after: lastController) {
      fold.add(controller)
      lastController = controller.id
    }
  }

  mutating func takeRows(onlyClosed: Bool = false) -> [VisitRow] {
    fold.takeRows(onlyClosed: onlyClosed)
  }
}
