import StatySQLite

extension HistoryReader {
  /// Gives every move of a session, by which the view `transitions` counts: the controller's name, the
  /// state before, the state after, and how many microseconds it took.
  ///
  /// There is no state before the first, and no time of a move that was not asked for in the recording
  /// or did not come to its end.
  package func eachMove(
    session: Int64,
    _ body: (_ controller: String, _ from: String?, _ to: String, _ taken: Int64?) throws -> Void
  ) throws {
    let rows = try asHistoryError {
      let rows = try connection.prepare(
        """
        SELECT (SELECT n.text FROM name n WHERE n.id = m.name),
          (SELECT n.text FROM name n WHERE n.id = m."from"),
          (SELECT n.text FROM name n WHERE n.id = m.state), max(m.entered - m.asked, 0)
        FROM _visit m WHERE m.session = ?1 AND m."from" IS NOT NULL
        """)
      try rows.bind(session, at: 1)
      return rows
    }
    while try asHistoryError({ try rows.step() }) {
      let (controller, from, to) = try asHistoryError {
        (try rows.string(at: 0) ?? "", try rows.string(at: 1), try rows.string(at: 2) ?? "")
      }
      try body(controller, from, to, rows.kind(at: 3) == .null ? nil : rows.int64(at: 3))
    }
  }

  /// Gives every visit of a session that was in, by which the view `dwell` counts: the controller's
  /// name, the state, and for how many microseconds; no time if its end may be among what was lost.
  package func eachStay(
    session: Int64,
    _ body: (_ controller: String, _ state: String, _ taken: Int64?) throws -> Void
  ) throws {
    let rows = try asHistoryError {
      let rows = try connection.prepare(
        """
        SELECT (SELECT n.text FROM name n WHERE n.id = v.name),
          (SELECT n.text FROM name n WHERE n.id = v.state),
          CASE WHEN v.outcome <> 3 THEN max(v.until - v.entered, 0) END
        FROM _visit v WHERE v.session = ?1 AND v.entered IS NOT NULL
        """)
      try rows.bind(session, at: 1)
      return rows
    }
    while try asHistoryError({ try rows.step() }) {
      let (controller, state) = try asHistoryError {
        (try rows.string(at: 0) ?? "", try rows.string(at: 1) ?? "")
      }
      try body(controller, state, rows.kind(at: 2) == .null ? nil : rows.int64(at: 2))
    }
  }
}
