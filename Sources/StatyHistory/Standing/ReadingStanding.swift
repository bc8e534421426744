import StatySQLite

/// Where the controller of a name stood in a session.
public struct NamedStanding: Equatable, Sendable {
  /// The session.
  public var session: SessionRecord
  /// The controller's number in the file.
  public var controller: Int32
  /// The visit that was in, or the last one that was.
  public var visit: StandingVisit
}

extension HistoryReader {
  /// Whether the file says where controllers stand; older ones do not.
  public var knowsStanding: Bool { schemaVersion >= 4 }

  /// Where the controller of this name stood when the newest session that knows of a state of it
  /// ended.
  ///
  /// If several controllers of the session had the name, the one attached last counts.
  ///
  /// - Parameter uuid: a session that is left out.
  public func standing(of name: String, except uuid: String) throws(HistoryError) -> NamedStanding?
  {
    guard knowsStanding else { return nil }
    return try asHistoryError {
      let rows = try connection.prepare(
        """
        SELECT c.id, c.session FROM name n JOIN controller c ON c.name = n.id
        WHERE n.text = ?1 AND c.session IS NOT (SELECT id FROM session WHERE uuid = ?2)
          AND EXISTS (SELECT 1 FROM standing s
            WHERE s.controller = c.id AND s.entered IS NOT NULL)
        ORDER BY c.session DESC, c.id DESC LIMIT 1
        """)
      try rows.bind(name, at: 1)
      try rows.bind(uuid, at: 2)
      defer { rows.reset() }
      guard try rows.step(), let controller = Int32(exactly: rows.int64(at: 0)),
        let session = try connection.sessions(rows.int64(at: 1)).first
      else { return nil }
      let standing = ControllerStanding(stored: try connection.standing(controller: controller))
      guard let visit = standing.last else { return nil }
      return NamedStanding(session: session, controller: controller, visit: visit)
    }
  }

  /// The session of this name everywhere.
  public func session(uuid: String) throws(HistoryError) -> SessionRecord? {
    try asHistoryError {
      let rows = try connection.prepare("SELECT id FROM session WHERE uuid = ?1")
      try rows.bind(uuid, at: 1)
      defer { rows.reset() }
      return try rows.step() ? try connection.sessions(rows.int64(at: 0)).first : nil
    }
  }

  /// The visits that are stored of where a controller stands.
  public func standing(controller: Int32) throws(HistoryError) -> [StandingVisit] {
    guard knowsStanding else { return [] }
    return try asHistoryError { try connection.standing(controller: controller) }
  }

  /// What numbers in the ring of a session mean, if it is not over.
  public func aliases(session: Int64) throws(HistoryError) -> [Alias] {
    guard schemaVersion >= 3 else { return [] }
    return try asHistoryError { try connection.aliases(session: session) }
  }

  /// Which of the numbers from the first to the last have an event.
  public func storedNumbers(
    from first: Int64, through last: Int64
  ) throws(HistoryError) -> Set<Int64> {
    try asHistoryError { try connection.storedNumbers(from: first, through: last) }
  }

  /// When an event happened, in microseconds since 1970; none if it is not there.
  public func wallTime(of seq: Int64, in session: SessionRecord) throws(HistoryError) -> Int64? {
    try asHistoryError {
      let rows = try connection.prepare("SELECT t FROM event WHERE seq = ?1")
      try rows.bind(seq, at: 1)
      defer { rows.reset() }
      return try rows.step() ? try wallTime(at: rows.int64(at: 0), in: session) : nil
    }
  }

  /// The wall clock at a time of a session's own, in microseconds.
  public func wallTime(at time: Int64, in session: SessionRecord) throws(HistoryError) -> Int64 {
    let anchor = try anchors(session: session.id).last { $0.time <= time }
    return time &+ (anchor.map { $0.wallTime &- $0.time } ?? session.wallTime)
  }
}
