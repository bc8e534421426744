package import StatyHistory
import StatySQLite

/// The wanted rows of a view, and their order.
package struct ViewQuery: Equatable, Sendable {
  /// The name of the view: one of `HistoryViews.names`.
  var view: String
  /// Only rows of this session.
  package var session: Int64?
  /// Only rows of controllers with these names; of all if it is empty.
  package var controllers: [String] = []
  /// Only rows with one of these states in one of `stateColumns`; all if it is empty.
  package var states: [String] = []
  /// The columns that name states.
  package var stateColumns = ["state"]
  /// The column to sort by, the largest values first; by default the view's own order.
  package var largest: String?
  /// The most rows; by default all.
  package var limit: Int?

  /// All rows of a view.
  package init(_ view: String) { self.view = view }
}

extension HistoryReader {
  /// Rows of a view, each with a value for each of its columns.
  package func rows(_ query: ViewQuery) throws(HistoryError) -> [[QueryValue]] {
    precondition(
      HistoryViews.names.contains(query.view),
      "There is no view '\(query.view)'; choose one of \(HistoryViews.names).")
    return try asHistoryError {
      var values: [any SQLValue] = query.controllers
      if let session = query.session { values.insert(session, at: 0) }
      for _ in query.stateColumns { values += query.states as [any SQLValue] }
      return try connection.prepare(query.sql, values).values()
    }
  }
}

extension ViewQuery {
  fileprivate var sql: String {
    var conditions: [String] = []
    if session != nil { conditions.append("session = ?") }
    if !controllers.isEmpty { conditions.append("controller IN (\(Self.places(controllers)))") }
    if !states.isEmpty {
      let either = stateColumns.map { "\(Self.quoted($0)) IN (\(Self.places(states)))" }
      conditions.append("(\(either.joined(separator: " OR ")))")
    }
    let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    let order = largest.map { " ORDER BY \(Self.quoted($0)) DESC" } ?? ""
    return "SELECT * FROM \(view)\(filter)\(order)"
      + (limit.map { " LIMIT \($0)" } ?? "")
  }

  private static func places(_ values: [String]) -> String {
    values.map { _ in "?" }.joined(separator: ", ")
  }

  private static func quoted(_ column: String) -> String { "\"\(column)\"" }
}

extension Statement {
  fileprivate func values() throws(SQLiteError) -> [[QueryValue]] {
    var rows: [[QueryValue]] = []
    while try step() {
      var row: [QueryValue] = []
      for column in 0..<columnCount { row.append(try QueryValue(self, at: column)) }
      rows.append(row)
    }
    return rows
  }
}

extension HistoryReader {
  /// Calls `body` with every move of a session that the view `transitions` counts: the controller's
  /// name, the state before, the state after, and the microseconds that it took.
  ///
  /// The first move has no state before. A move has no time if its request is not in the recording,
  /// or if it did not finish.
  package func eachMove(
    session: Int64,
    _ body: (_ controller: String, _ from: String?, _ to: String, _ taken: Int64?) throws -> Void
  ) throws {
    let rows = try asHistoryError {
      try connection.prepare(
        """
        SELECT (SELECT n.text FROM name n WHERE n.id = m.name),
          (SELECT n.text FROM name n WHERE n.id = m."from"),
          (SELECT n.text FROM name n WHERE n.id = m.state), max(m.entered - m.asked, 0)
        FROM _visit m WHERE m.session = ?1 AND m."from" IS NOT NULL
        """, session)
    }
    while try asHistoryError({ try rows.step() }) {
      let (controller, from, to) = try asHistoryError {
        (try rows.string(at: 0) ?? "", try rows.string(at: 1), try rows.string(at: 2) ?? "")
      }
      try body(controller, from, to, rows.kind(at: 3) == .null ? nil : rows.int64(at: 3))
    }
  }

  /// Calls `body` with every visit of a session that entered, as the view `dwell` counts them: the
  /// controller's name, the state, and the microseconds.
  ///
  /// There is no time if the visit's end may be lost.
  package func eachStay(
    session: Int64,
    _ body: (_ controller: String, _ state: String, _ taken: Int64?) throws -> Void
  ) throws {
    let rows = try asHistoryError {
      try connection.prepare(
        """
        SELECT (SELECT n.text FROM name n WHERE n.id = v.name),
          (SELECT n.text FROM name n WHERE n.id = v.state),
          CASE WHEN v.outcome <> 3 THEN max(v.until - v.entered, 0) END
        FROM _visit v WHERE v.session = ?1 AND v.entered IS NOT NULL AND v.outcome <> 10
        """, session)
    }
    while try asHistoryError({ try rows.step() }) {
      let (controller, state) = try asHistoryError {
        (try rows.string(at: 0) ?? "", try rows.string(at: 1) ?? "")
      }
      try body(controller, state, rows.kind(at: 2) == .null ? nil : rows.int64(at: 2))
    }
  }
}
