import StatySQLite

// The table `standing`, written and read side by side.
extension Connection {
  /// Replaces stored rows of a controller with new ones.
  func replace(
    _ old: [StandingVisit], by new: [StandingVisit], of controller: Int32
  ) throws(SQLiteError) {
    if old == new { return }
    let delete = try prepare("DELETE FROM standing WHERE controller = ?1 AND visit = ?2")
    for row in old where !new.contains(where: { $0.visit == row.visit }) {
      try delete.bind(Int64(controller), at: 1)
      try delete.bind(Int64(row.visit), at: 2)
      try delete.run()
    }
    let insert = try prepare(
      """
      INSERT INTO standing(controller, visit, state, asked, entered, exited)
      VALUES (?1, ?2, ?3, nullif(?4, 0), nullif(?5, 0), nullif(?6, 0))
      ON CONFLICT(controller, visit) DO UPDATE SET state = excluded.state,
        asked = excluded.asked, entered = excluded.entered, exited = excluded.exited
      """)
    for row in new where !old.contains(row) {
      try insert.bind(Int64(controller), at: 1)
      try insert.bind(Int64(row.visit), at: 2)
      try insert.bind(Int64(row.state), at: 3)
      try insert.bind(row.asked, at: 4)
      try insert.bind(row.entered, at: 5)
      try insert.bind(row.exited, at: 6)
      try insert.run()
    }
  }

  /// The stored visits of a session's controllers.
  func standing(session: Int64) throws(SQLiteError) -> [Int32: [StandingVisit]] {
    let rows = try prepare(
      """
      SELECT s.visit, s.state, s.asked, s.entered, s.exited, s.controller
      FROM controller c JOIN standing s ON s.controller = c.id WHERE c.session = ?1
      ORDER BY s.controller, s.visit
      """)
    try rows.bind(session, at: 1)
    var standing: [Int32: [StandingVisit]] = [:]
    while try rows.step() {
      guard let controller = Int32(exactly: rows.int64(at: 5)), let visit = StandingVisit(rows)
      else { continue }
      standing[controller, default: []].append(visit)
    }
    return standing
  }

  /// The stored visits of one controller.
  func standing(controller: Int32) throws(SQLiteError) -> [StandingVisit] {
    let rows = try prepare(
      """
      SELECT visit, state, asked, entered, exited FROM standing WHERE controller = ?1
      ORDER BY visit
      """)
    try rows.bind(Int64(controller), at: 1)
    var visits: [StandingVisit] = []
    while try rows.step() {
      if let visit = StandingVisit(rows) { visits.append(visit) }
    }
    return visits
  }
}

extension StandingVisit {
  /// The visit in these columns; none if a number is out of its range.
  fileprivate init?(_ rows: Statement) {
    guard let visit = UInt32(exactly: rows.int64(at: 0)),
      let state = Int32(exactly: rows.int64(at: 1)), state > 0
    else { return nil }
    self.init(
      visit: visit, state: state, asked: max(0, rows.int64(at: 2)),
      entered: max(0, rows.int64(at: 3)), exited: max(0, rows.int64(at: 4)))
  }
}
