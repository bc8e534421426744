import StatySQLite

/// The visit that a controller with a given name showed last in a session.
package struct NamedStanding: Equatable, Sendable {
  /// The session.
  package var session: SessionRecord
  /// The controller's number in the file.
  package var controller: Int32
  /// The shown visit, or the last that was shown.
  package var visit: StandingVisit
}

extension HistoryReader {
  /// The last shown visit of the controller with this name, in the newest session that has one.
  ///
  /// If several controllers of the session had the name, the one attached last counts.
  ///
  /// - Parameter uuid: a session that is ignored.
  package func standing(of name: String, except uuid: String) throws(HistoryError) -> NamedStanding?
  {
    try asHistoryError {
      let rows = try connection.prepare(
        """
        SELECT c.id, c.session FROM name n JOIN controller c ON c.name = n.id
        WHERE n.text = ?1 AND c.session NOT IN (SELECT id FROM session WHERE uuid = ?2 OR run = ?2)
          AND EXISTS (SELECT 1 FROM standing s
            WHERE s.controller = c.id AND s.entered IS NOT NULL)
        ORDER BY c.session DESC, c.id DESC LIMIT 1
        """)
      try rows.bind(name, at: 1)
      try rows.bind(uuid, at: 2)
      defer { rows.reset() }
      guard try rows.step(), let controller = Int32(exactly: rows.int64(at: 0)),
        let session = try connection.sessionIfKnown(rows.int64(at: 1))
      else { return nil }
      let standing = ControllerStanding(stored: try connection.standing(controller: controller))
      guard let visit = standing.last else { return nil }
      return NamedStanding(session: session, controller: controller, visit: visit)
    }
  }

  /// Whether there is a session of this name.
  package func hasSession(uuid: String) throws(HistoryError) -> Bool {
    try asHistoryError {
      let rows = try connection.prepare("SELECT 1 FROM session WHERE uuid = ?1")
      try rows.bind(uuid, at: 1)
      defer { rows.reset() }
      return try rows.step()
    }
  }

  /// The last session of the process that began to record in the session of this name.
  package func lastSession(ofRun uuid: String) throws(HistoryError) -> SessionRecord? {
    try asHistoryError {
      let rows = try connection.prepare(
        "SELECT id FROM session WHERE uuid = ?1 OR run = ?1 ORDER BY first_seq DESC LIMIT 1")
      try rows.bind(uuid, at: 1)
      defer { rows.reset() }
      return try rows.step() ? try connection.sessionIfKnown(rows.int64(at: 0)) : nil
    }
  }

  /// The stored visits of a controller.
  package func standing(controller: Int32) throws(HistoryError) -> [StandingVisit] {
    try asHistoryError { try connection.standing(controller: controller) }
  }

  /// When a visit exited or, if it did not, entered, in microseconds since 1970; none if that is
  /// not known.
  package func wallTime(
    of visit: StandingVisit, in session: SessionRecord
  ) throws(HistoryError) -> Int64? {
    try wallTime(of: visit.isIn ? visit.entered : visit.exited, in: session)
  }

  /// The payload of a stored visit.
  package func payload(of visit: StandingVisit) throws(HistoryError) -> [UInt8]? {
    visit.asked == 0 ? nil : try detail(of: visit.asked)?.payload
  }

  /// The meanings of numbers in the ring of a session, if the session is open.
  package func aliases(session: Int64) throws(HistoryError) -> [Alias] {
    try asHistoryError { try connection.aliases(session: session) }
  }

  /// Which of the numbers from the first to the last have an event.
  package func storedNumbers(
    from first: Int64, through last: Int64
  ) throws(HistoryError) -> Set<Int64> {
    try asHistoryError { try connection.storedNumbers(from: first, through: last) }
  }

  /// When an event happened, in microseconds since 1970; none if there is no such event.
  func wallTime(of seq: Int64, in session: SessionRecord) throws(HistoryError) -> Int64? {
    try asHistoryError {
      let rows = try connection.prepare(
        """
        SELECT t - coalesce((SELECT age FROM detail d WHERE d.seq = e.seq), 0) FROM event e
        WHERE seq = ?1
        """)
      try rows.bind(seq, at: 1)
      defer { rows.reset() }
      return try rows.step() ? try wallTime(at: rows.int64(at: 0), in: session) : nil
    }
  }

  /// The wall clock at a time of a session's own, in microseconds.
  package func wallTime(at time: Int64, in session: SessionRecord) throws(HistoryError) -> Int64 {
    let anchor = try anchors(session: session.id).last { $0.time <= time }
    return time &+ (anchor.map { $0.wallTime &- $0.time } ?? session.wallTime)
  }
}
