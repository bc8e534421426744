import StatySQLite

/// Views that look into a controller's snapshot with each of their rows, put so that they look once.
///
/// JSON is read from its beginning each time that something is asked of it. Where a controller has a
/// thousand moves and routes of 300 KB, or thousands who wait in its snapshot, that took tens of seconds. What
/// is in a file cannot say it otherwise without a schema of its own.
enum SnapshotViews {
  /// What the rows of a view are selected from.
  struct Source {
    /// What comes before the statement; nothing for most.
    var beginning = ""
    /// What stands behind its `FROM`.
    var rows: String
  }

  /// What to select from in place of a view.
  ///
  /// - Parameter session: the only one that is asked for, if there is one.
  static func source(
    of view: String, session: Int64?, in connection: Connection
  ) throws(SQLiteError) -> Source {
    guard let other = others[view] else { return Source(rows: view) }
    let rows = try connection.prepare("SELECT sql FROM sqlite_schema WHERE name = ?1")
    try rows.bind(view, at: 1)
    defer { rows.reset() }
    guard try rows.step(), let sql = try rows.string(at: 0),
      let body = sql.parted(by: " AS\n")?.after, let parts = body.parted(by: other.asked)
    else { return Source(rows: view) }
    let condition = session.map { " AND c.session = \($0)" } ?? ""
    return Source(
      beginning: other.beginning(condition),
      rows: other.rows(parts.before + other.instead + parts.after))
  }

  private struct Other: Sendable {
    /// What looks into the snapshot, to the letter.
    let asked: String
    /// What stands there instead.
    let instead: String
    /// What looks once; it is handed the condition for one session.
    let beginning: @Sendable (String) -> String
    /// The rows, from the SQL that the view has then.
    let rows: @Sendable (String) -> String
  }

  private static let others = ["transitions": transitions, "stuck": stuck]

  // A controller that keeps to no routes has no row in `_routed`. What a route says of a state that is
  // nothing is asked by itself: nothing is in no list.
  private static let transitions = Other(
    asked: """
        (SELECT EXISTS (SELECT 1 FROM json_each(l.value) r
           WHERE r.type = 'object'
             AND (SELECT f.value FROM json_each(r.value) f WHERE f.key = 'to') = d."to"
             AND ((SELECT f.value FROM json_each(r.value) f WHERE f.key = 'isAnywhere') IS 1
               OR (SELECT f.value FROM json_each(r.value) f WHERE f.key = 'from') IS d."from"))
         FROM controller c
           JOIN json_each(CASE WHEN c.snapshot GLOB '{*}' THEN c.snapshot ELSE '{}' END) l
         WHERE c.id = d.controller AND l.key = 'routes' AND l.type = 'array') AS declared
      """, instead: "  d.controller AS declared",
    beginning: { condition in
      """
      WITH _routed AS MATERIALIZED (
        SELECT c.id AS controller, l.value AS routes FROM controller c
          JOIN json_each(CASE WHEN c.snapshot GLOB '{*}' THEN c.snapshot ELSE '{}' END) l
        WHERE l.key = 'routes' AND l.type = 'array'\(condition)
      ), _route AS MATERIALIZED (
        SELECT q.controller AS controller,
          (SELECT f.value FROM json_each(r.value) f WHERE f.key = 'from') AS "from",
          (SELECT f.value FROM json_each(r.value) f WHERE f.key = 'to') AS "to",
          (SELECT f.value FROM json_each(r.value) f WHERE f.key = 'isAnywhere') IS 1 AS is_anywhere
        FROM _routed q JOIN json_each(q.routes) r WHERE r.type = 'object'
      )\u{20}
      """
    },
    rows: { sql in
      """
      (SELECT session, controller, "from", "to", n, percent, p50_ms, p95_ms, max_ms,
        CASE WHEN declared IN (SELECT controller FROM _routed) THEN
          coalesce((declared, "to") IN (SELECT controller, "to" FROM _route WHERE is_anywhere), 0)
          OR coalesce((declared, "to", "from") IN (SELECT controller, "to", "from" FROM _route
            WHERE NOT is_anywhere AND "from" IS NOT NULL), 0)
          OR "from" IS NULL AND coalesce((declared, "to") IN (SELECT controller, "to" FROM _route
            WHERE NOT is_anywhere AND "from" IS NULL), 0)
        END AS declared
      FROM (\(sql)))
      """
    })

  private static let stuck = Other(
    asked: """
      (SELECT l.value FROM json_each(
            CASE WHEN c.snapshot GLOB '{*}' THEN c.snapshot ELSE '{}' END) l
            WHERE l.key = 'isWithholding')
      """,
    instead: "(SELECT w.value FROM _withholding w WHERE w.controller = o.controller)",
    beginning: { condition in
      """
      WITH _withholding AS MATERIALIZED (
        SELECT c.id AS controller, l.value AS value FROM controller c
          JOIN json_each(CASE WHEN c.snapshot GLOB '{*}' THEN c.snapshot ELSE '{}' END) l
        WHERE l.key = 'isWithholding'\(condition)
      )\u{20}
      """
    }, rows: { "(\($0))" })
}

extension String {
  /// What stands before and behind the first place with this text, byte for byte; none if there is none.
  fileprivate func parted(by part: String) -> (before: String, after: String)? {
    let (bytes, part) = (Array(utf8), Array(part.utf8))
    guard bytes.count >= part.count,
      let place = (0...bytes.count - part.count).first(where: { bytes[$0...].starts(with: part) })
    else { return nil }
    return (
      String(decoding: bytes[..<place], as: UTF8.self),
      String(decoding: bytes[(place + part.count)...], as: UTF8.self)
    )
  }
}
