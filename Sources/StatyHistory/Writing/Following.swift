import Staty
import StatySQLite

// The rows of visits follow from the events, and are stored with them.
extension HistoryWriter {
  /// Follows rows that are new and in order, as a part of their transaction.
  ///
  /// - Parameter isBehind: whether later ones are stored already.
  func follow(
    _ rows: UnsafeBufferPointer<EventRow>, _ details: [EventDetail], of session: SessionRecord,
    isBehind: Bool
  ) throws {
    if unfollowed.contains(session.id) { return try followRestUnlessGathering() }
    let isNew = session.stored == Int64(rows.count)
    guard let first = rows.first, let last = rows.last,
      var following = followings.removeValue(forKey: session.id)
        ?? (isNew ? begin(session) : nil),
      first.seq >= following.next
    else {
      unfollow(session.id)
      return try followRestUnlessGathering()
    }
    try following.learn(connection)
    if first.seq == following.next, !isBehind, last.seq - first.seq == Int64(rows.count) - 1 {
      try details.withUnsafeBufferPointer { details in
        var next = 0
        for row in rows {
          if row.controller > following.lastController {
            try following.introduce(connection, session.id)
            try following.learn(connection)
          }
          if next < details.count, details[next].seq == row.seq {
            following.take(row, FoldedDetail(details[next]))
            next += 1
          } else {
            following.take(row, FoldedDetail())
          }
        }
      }
    } else {
      try catchUp(&following, session, isOver: session.ended != .open)
    }
    try store(&following, of: session.id)
    followings[session.id] = following
  }

  private func begin(_ session: SessionRecord) -> SessionFollowing {
    SessionFollowing(session, judge: makeJudge?(session.id))
  }

  /// Follows losses that have been recorded, as a part of their transaction.
  func follow(_ losses: [LossRecord], of id: Int64) throws {
    if unfollowed.contains(id) { return try followRestUnlessGathering() }
    guard var following = followings.removeValue(forKey: id),
      losses.allSatisfy({ $0.firstSeq >= following.next })
    else {
      let session = try connection.session(id)
      // Before its first event there is nothing to follow.
      if session.lastSeq != nil { unfollow(id) }
      return try followRestUnlessGathering()
    }
    let session = try connection.session(id)
    try catchUp(&following, session, isOver: session.ended != .open)
    try store(&following, of: id)
    followings[id] = following
  }

  /// What is followed of an open session, for a later writer of the same file.
  package func following(of session: Int64) -> SessionFollowing? {
    unfollowed.contains(session) ? nil : followings[session]
  }

  /// Follows an open session on from where an earlier writer of this process was.
  package func goOn(_ following: SessionFollowing, with session: Int64) throws(HistoryError) {
    try asHistoryError {
      if try isFollowed(session, before: following.next) { followings[session] = following }
    }
  }

  private func isFollowed(_ session: Int64, before next: Int64) throws -> Bool {
    let rows = try connection.prepare("SELECT followed FROM session WHERE id = ?1", session)
    return try rows.step() && rows.int64(at: 0) == next
  }

  /// Whether an earlier writer has stored the rows and findings of everything that a session had, before it was known
  /// how it ended.
  private func isFollowedToItsEnd(_ id: Int64) throws -> Bool {
    guard let makeJudge, !unfollowed.contains(id) else { return false }
    let session = try connection.session(id)
    guard session.isCut, session.lastSeq != nil, session.judgedTime == session.endTime,
      session.edition == type(of: makeJudge(id)).edition
    else { return false }
    return try isFollowed(id, before: session.firstSeq + session.observed)
  }

  /// Ends a session: unless it is restored as an open one, missing events do not come any more.
  package func endFollowing(_ id: Int64) throws {
    guard !unfollowed.contains(id), var following = followings.removeValue(forKey: id) else {
      if try isFollowedToItsEnd(id) { return }
      unfollow(id)
      return try followRestUnlessGathering()
    }
    let session = try connection.session(id)
    try catchUp(&following, session, isOver: session.ended != .open)
    try store(&following, of: id)
    try storeEnd(following, of: session)
  }

  /// Marks a session for making its rows anew.
  package func unfollow(_ session: Int64) {
    followings[session] = nil
    unfollowed.insert(session)
  }

  /// Makes the rows of marked sessions anew; while calls are gathered, the end of gathering does.
  package func followRestUnlessGathering() throws {
    if !isGathering { try followUnfollowed() }
  }

  /// Makes the rows of marked sessions anew.
  func followRest() throws {
    if !unfollowed.isEmpty { try writing { try followUnfollowed() } }
  }

  private func followUnfollowed() throws {
    for id in unfollowed.sorted() {
      guard let session = try connection.sessionIfKnown(id) else { continue }
      try connection.run(
        "DELETE FROM visit WHERE seq BETWEEN ?1 AND ?2", session.firstSeq, session.lastOwnSeq)
      try removeFindings(of: id)
      var following = begin(session)
      try catchUp(&following, session, isOver: session.ended != .open)
      try store(&following, of: id)
      try storeEnd(following, of: session)
      if session.ended == .open { followings[id] = following }
    }
    unfollowed = []
  }

  private func catchUp(
    _ following: inout SessionFollowing, _ session: SessionRecord, isOver: Bool
  ) throws {
    try following.catchUp(connection, session, isOver: isOver) {
      try store($0, $1, of: session.id)
    }
  }

  private func store(_ following: inout SessionFollowing, of session: Int64) throws {
    try store(following.takeRows(), following.takeFindings(connection), of: session)
    // What was judged at the end was not this end.
    try connection.run(
      "UPDATE session SET followed = ?2, judged_us = NULL WHERE id = ?1", session, following.next)
  }

  private func store(
    _ rows: [VisitRow], _ findings: [FindingRecord], of session: Int64
  ) throws {
    if !rows.isEmpty { try newVisits.fill(connection.prepare(NewVisits.fill), with: rows) }
    try insert(findings, of: session)
  }
}
