package import StatySQLite

/// The checksum of everything that a session has besides its events.
///
/// It is a sum of parts, so that adding a loss takes no longer than its row. It is part of the file
/// format: the checksum of a content must never change.
package enum SessionSeal {
  /// The part of the session itself and its end.
  package static func part(_ session: SessionRecord) -> UInt64 {
    let part = ContentHash.fold(
      session.chainSeed, ContentHash.text(session.ended?.rawValue ?? ""))
    return session.run.map { ContentHash.fold(part, ContentHash.text($0)) } ?? part
  }

  /// The part of a session's counts.
  package static func part(observed: Int64, payloadsLeftOut: Int64) -> UInt64 {
    // So that it never equals the part of a loss.
    let counts = ContentHash.fold(UInt64(bitPattern: observed), UInt64(bitPattern: payloadsLeftOut))
    return ContentHash.fold(counts, 0x434f_554e)
  }

  /// The part of a controller, the `ordinal`-th of its session from 0.
  ///
  /// The checksum of its `attached` covers the same; this one is for when that event is lost.
  package static func part(_ controller: ControllerRecord, ordinal: Int) -> UInt64 {
    let what = ContentHash.fold(controller.nameHash(ordinal: ordinal), controller.contentHash)
    // So that it never equals the part of a loss.
    return ContentHash.fold(what, 0x4354_524c)
  }

  /// The part of a loss in a session that begins with number `first`.
  package static func part(_ loss: LossRecord, first: Int64) -> UInt64 {
    let place = ContentHash.fold(
      UInt64(bitPattern: loss.firstSeq &- first), UInt64(bitPattern: loss.lastSeq &- first))
    let what = ContentHash.fold(
      UInt64(bitPattern: loss.count), ContentHash.text(loss.reason))
    return ContentHash.fold(place, what)
  }

  /// The part of a reading of the wall clock.
  package static func part(_ anchor: AnchorRecord) -> UInt64 {
    // So that it never equals the part of a loss.
    let what = ContentHash.fold(UInt64(bitPattern: anchor.wallTime), 0x434c_4f43)
    return ContentHash.fold(UInt64(bitPattern: anchor.time), what)
  }
}

// The column `seal`, with writing and reading side by side.
extension Connection {
  /// Whether a session is as it was sealed.
  package func holdsSeal(of session: SessionRecord) throws -> Bool {
    try storedSeal(of: session.id) == sealSum(of: session)
  }

  /// Seals a session as it is now.
  package func seal(_ session: Int64) throws {
    try store(seal: sealSum(of: try self.session(session)), of: session)
  }

  /// Adds a change to a session's seal.
  ///
  /// A missing seal stays missing, which is damage.
  package func addToSeal(of session: Int64, _ change: UInt64) throws {
    guard let seal = try storedSeal(of: session) else { return }
    try store(seal: seal &+ change, of: session)
  }

  /// The checksum that a session should have.
  package func sealSum(of session: SessionRecord) throws -> UInt64 {
    var sum = SessionSeal.part(session)
    sum &+= SessionSeal.part(
      observed: session.observed, payloadsLeftOut: try payloadsLeftOut(of: session.id))
    for (ordinal, controller) in try controllers(session: session.id).enumerated() {
      sum &+= SessionSeal.part(controller, ordinal: ordinal)
    }
    for loss in try losses(of: session) {
      sum &+= SessionSeal.part(loss, first: session.firstSeq)
    }
    let anchors = try prepare("SELECT t_us, wall_us FROM anchor WHERE session = ?1", session.id)
    while try anchors.step() {
      sum &+= SessionSeal.part(
        AnchorRecord(time: anchors.int64(at: 0), wallTime: anchors.int64(at: 1)))
    }
    return sum
  }

  package func payloadsLeftOut(of session: Int64) throws -> Int64 {
    let rows = try prepare("SELECT payloads_left_out FROM session WHERE id = ?1", session)
    return try rows.step() ? rows.int64(at: 0) : 0
  }

  /// The stored checksum; none if it is missing.
  package func storedSeal(of session: Int64) throws -> UInt64? {
    let rows = try prepare("SELECT seal FROM session WHERE id = ?1", session)
    guard try rows.step(), !rows.isNull(at: 0) else { return nil }
    return UInt64(bitPattern: rows.int64(at: 0))
  }

  private func store(seal: UInt64, of session: Int64) throws {
    try run("UPDATE session SET seal = ?2 WHERE id = ?1", session, Int64(bitPattern: seal))
  }
}

// The rows from which a change to a seal is computed.
extension Connection {
  /// The session that owns a number.
  package func owner(of seq: Int64) throws -> (id: Int64, firstSeq: Int64)? {
    let rows = try prepare(
      """
      SELECT id, first_seq FROM session WHERE first_seq <= ?1 ORDER BY first_seq DESC LIMIT 1
      """, seq)
    return try rows.step() ? (rows.int64(at: 0), rows.int64(at: 1)) : nil
  }

  /// The loss that begins with this number.
  package func loss(at first: Int64) throws -> LossRecord? {
    let rows = try prepare(
      "SELECT first_seq, last_seq, count, reason FROM loss WHERE first_seq = ?1", first)
    return try rows.step() ? try LossRecord(rows) : nil
  }

  /// The losses of a session that reach into a range of numbers.
  package func losses(
    from first: Int64, through last: Int64, of session: SessionRecord
  ) throws -> [LossRecord] {
    let rows = try prepare(
      """
      SELECT first_seq, last_seq, count, reason FROM loss WHERE first_seq BETWEEN ?1 AND ?2
      ORDER BY first_seq DESC
      """, session.firstSeq, last)
    var losses: [LossRecord] = []
    // They follow each other: if one ends earlier, so do those before it.
    while try rows.step() {
      let loss = try LossRecord(rows)
      if loss.lastSeq < first { break }
      losses.append(loss)
    }
    return losses
  }

  /// The reading of the wall clock at this time of a session.
  package func anchor(of session: Int64, at time: Int64) throws -> AnchorRecord? {
    let rows = try prepare(
      "SELECT wall_us FROM anchor WHERE session = ?1 AND t_us = ?2", session, time)
    return try rows.step() ? AnchorRecord(time: time, wallTime: rows.int64(at: 0)) : nil
  }

  /// The first event that exists although it is recorded as lost.
  ///
  /// Events may lie between lost ones, but only so many that the number of missing events is right.
  package func firstEventInLoss(of session: SessionRecord) throws -> Int64? {
    let rows = try prepare(
      """
      SELECT (SELECT min(e.seq) FROM event e
        WHERE e.seq BETWEEN l.first_seq AND l.last_seq) AS held
      FROM loss l WHERE l.first_seq BETWEEN ?1 AND ?2 AND held IS NOT NULL
        AND l.count + (SELECT count(*) FROM event e
          WHERE e.seq BETWEEN l.first_seq AND l.last_seq) > l.last_seq - l.first_seq + 1
      ORDER BY held LIMIT 1
      """, session.firstSeq, session.lastOwnSeq)
    return try rows.step() ? rows.int64(at: 0) : nil
  }
}

extension LossRecord {
  /// The loss in the columns `first_seq`, `last_seq`, `count` and `reason`.
  package init(_ rows: Statement) throws {
    self.init(
      firstSeq: rows.int64(at: 0), lastSeq: rows.int64(at: 1), count: rows.int64(at: 2),
      reason: try rows.string(at: 3) ?? "")
  }
}
