import Staty
import StatySQLite

/// A visit that entered, as its row tells it.
package struct ShownVisit: Equatable, Sendable {
  /// The number of the visit's first event, which has its payload.
  package var seq: Int64
  /// The controller's number in the file.
  package var controller: Int32
  /// The number of its state's name.
  package var state: Int32
  /// When it entered, in microseconds of its session's time.
  package var entered: Int64
  /// When it exited; none if it had not.
  package var exited: Int64?

  /// The visit of a row, if it entered.
  ///
  /// - Parameter time: the time of the visit's first event.
  init?(_ row: VisitRow, since time: Int64) {
    guard let entered = row.entered else { return nil }
    (seq, controller, state) = (row.seq, row.controller, row.state)
    self.entered = time &+ entered
    // What was open when its controller was released is gone.
    let isGone = row.isOver || row.gone != nil && row.outcome != VisitRow.Outcome.continues
    exited = isGone ? time &+ (row.gone ?? entered) : nil
  }
}

extension Collection<ShownVisit> {
  /// The visit that is shown: of those that have not exited the one that entered last, or else the
  /// one that exited last.
  package var shownLast: ShownVisit? {
    let shown = filter { $0.exited == nil }
    if !shown.isEmpty { return shown.max { ($0.entered, $0.seq) < ($1.entered, $1.seq) } }
    return self.max { ($0.exited ?? 0, $0.seq) < ($1.exited ?? 0, $1.seq) }
  }
}

/// The row of a visit, with what its first event says.
package struct StoredVisit: Sendable {
  package let row: VisitRow
  package let visit: UInt32
  /// The time of its first event.
  package let time: Int64

  /// The visit, if it entered.
  package var shown: ShownVisit? { ShownVisit(row, since: time) }

  package init(row: VisitRow, visit: UInt32, time: Int64) {
    (self.row, self.visit, self.time) = (row, visit, time)
  }
}

extension HistoryReader {
  /// The visit that the controller with this name showed last, with its session, which is the
  /// newest that has one.
  ///
  /// - Parameter uuid: the session that records now, which is ignored.
  package func shownVisit(
    of name: String, except uuid: String
  ) throws(HistoryError) -> (session: SessionRecord, visit: ShownVisit)? {
    try asHistoryError {
      let sessions = try connection.prepare(
        """
        SELECT DISTINCT c.session FROM name n JOIN controller c ON c.name = n.id
        WHERE n.text = ?1 AND c.session NOT IN (SELECT id FROM session WHERE uuid = ?2 OR run = ?2)
        ORDER BY c.session DESC
        """, name, uuid)
      while try sessions.step() {
        guard let session = try connection.sessionIfKnown(sessions.int64(at: 0)) else { continue }
        let visits = try latestVisits(of: name, in: session)
        if let last = visits.compactMap(\.shown).shownLast { return (session, last) }
      }
      return nil
    }
  }

  /// The latest visits of the controller with this name, the last one first, and the ones that are
  /// shown; of the controller that showed a visit last if several of the session have the name.
  package func latestVisits(
    of name: String, in session: SessionRecord
  ) throws(HistoryError) -> [StoredVisit] {
    try asHistoryError {
      func visits(_ condition: String, most: Int) throws -> [StoredVisit] {
        try connection.visits(of: name, in: session, where: condition, most: most)
      }
      let newest = try visits("TRUE", most: 1)
      let most = 64
      let entered = try visits("v.entered IS NOT NULL", most: most)
      let controller = entered.first?.row.controller
      var latest = newest + entered.filter { $0.row.seq != newest.first?.row.seq }
      if !entered.contains(where: { !$0.row.isOver }) {
        // Under many that have exited there may be one that has not, where several can be shown, or that
        // has exited later than all of them.
        let showsSeveral =
          """
          v.entered IS NOT NULL AND (SELECT c.discipline FROM controller c WHERE c.id = v.what >> 5)
            > \(Discipline.byUrgency.rawValue)
          """
        let open = try visits("\(showsSeveral) AND v.what & 31 BETWEEN 3 AND 15", most: 1)
        latest += open
        if open.isEmpty, entered.count == most, let first = entered.last,
          let exited = entered.compactMap(\.shown).shownLast?.exited
        {
          let longer = exited &- first.time
          latest += try visits(
            "\(showsSeveral) AND v.seq < \(first.row.seq) AND v.gone > \(longer)", most: most)
        }
      }
      return latest.filter { $0.row.controller == controller ?? $0.row.controller }
    }
  }

  /// The number of the first event of a session that the rows of its visits do not follow from yet,
  /// as earlier ones may still come.
  package func firstUnfollowed(session: SessionRecord) throws(HistoryError) -> Int64 {
    try asHistoryError {
      let rows = try connection.prepare("SELECT followed FROM session WHERE id = ?1", session.id)
      return try rows.step() ? rows.int64(at: 0) : 0
    }
  }

  /// The payload that was recorded with the request of a visit.
  package func payload(
    ofVisit visit: UInt32, of controller: Int32, in session: SessionRecord
  ) throws(HistoryError) -> [UInt8]? {
    try asHistoryError {
      let rows = try connection.prepare(
        """
        SELECT seq FROM event
        WHERE seq BETWEEN ?1 AND ?2 AND visit = ?3 AND what & 31 = ?4 AND what >> 14 = ?5
        ORDER BY seq DESC LIMIT 1
        """, session.firstSeq, session.lastOwnSeq, Int64(visit), Int64(EventKind.enqueued.rawValue),
        Int64(controller))
      return try rows.step() ? try detail(of: rows.int64(at: 0))?.payload : nil
    }
  }
}

extension Connection {
  /// The latest of the visits that fulfil a condition, the last one first.
  fileprivate func visits(
    of name: String, in session: SessionRecord, where condition: String, most: Int
  ) throws -> [StoredVisit] {
    // The rows of visits have no index: they are read from the end until there are enough.
    let rows = try prepare(
      """
      SELECT v.seq, v.what >> 5, v.what & 31, coalesce(v.state, 0), v.entered, v.gone,
        e.visit, e.t
      FROM visit v CROSS JOIN event e ON e.seq = v.seq
      WHERE v.seq BETWEEN ?1 AND ?2
        AND v.what >> 5 IN (
          SELECT c.id FROM name n JOIN controller c ON c.name = n.id
          WHERE n.text = ?3 AND c.session = ?4)
        AND \(condition)
      ORDER BY v.seq DESC LIMIT \(most)
      """, session.firstSeq, session.lastOwnSeq, name, session.id)
    var visits: [StoredVisit] = []
    while try rows.step() {
      guard let controller = Int32(exactly: rows.int64(at: 1)),
        let state = Int32(exactly: rows.int64(at: 3)),
        let visit = UInt32(exactly: rows.int64(at: 6))
      else { continue }
      var row = VisitRow(
        seq: rows.int64(at: 0), controller: controller, outcome: UInt8(rows.int64(at: 2)),
        state: state)
      row.entered = rows.isNull(at: 4) ? nil : rows.int64(at: 4)
      row.gone = rows.isNull(at: 5) ? nil : rows.int64(at: 5)
      visits.append(StoredVisit(row: row, visit: visit, time: rows.int64(at: 7)))
    }
    return visits
  }
}
