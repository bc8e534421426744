/// Common questions about a history, as SQL over the views.
package enum HistoryQueries {
  /// One question.
  package struct Query: Hashable, Sendable {
    /// The name under which a client keeps it.
    package let name: String
    /// The question.
    package let title: String
    /// The statement; its parameters are named `:session`, `:controller`, `:visit`, `:seq`.
    package let sql: String
  }

  /// All queries, the most general first.
  package static let all: [Query] = [
    Query(
      name: "newest-sessions", title: "Which runs of the app were recorded last?",
      sql: """
        SELECT session, started_at, duration_ms, ended, controllers, events, lost, app, app_version
        FROM sessions ORDER BY session DESC
        """),
    Query(
      name: "broken-rules", title: "Which ordering rules were broken, and how often?",
      sql: """
        SELECT code, severity, count(*) AS n, count(DISTINCT session) AS sessions
        FROM violations GROUP BY code, severity ORDER BY n DESC, code
        """),
    Query(
      name: "worst-visits", title: "Which visits broke a rule?",
      sql: """
        SELECT session, controller, visit, state, group_concat(code) AS codes, min(seq) AS first_seq
        FROM violations GROUP BY session, controller, visit ORDER BY count(*) DESC, session, first_seq
        """),
    Query(
      name: "outcomes", title: "What became of the requests for each state?",
      sql: """
        SELECT controller, state, outcome, count(*) AS n
        FROM visits GROUP BY controller, state, outcome ORDER BY controller, state, n DESC
        """),
    Query(
      name: "longest-waits", title: "Which visits waited longest to enter?",
      sql: """
        SELECT session, controller, visit, state, entering_ms - enqueued_ms AS waited_ms
        FROM visits WHERE entering_ms IS NOT NULL AND enqueued_ms IS NOT NULL
        ORDER BY waited_ms DESC LIMIT 100
        """),
    Query(
      name: "slowest-entrances", title: "Which states took longest to enter?",
      sql: """
        SELECT session, controller, visit, state, entered_ms - entering_ms AS took_ms
        FROM visits WHERE entered_ms IS NOT NULL AND entering_ms IS NOT NULL
        ORDER BY took_ms DESC LIMIT 100
        """),
    Query(
      name: "not-through", title: "Which visits were not through when recording ended?",
      sql: """
        SELECT session, controller, visit, state, outcome, enqueued_ms, entering_ms, entered_ms,
          exiting_ms
        FROM visits WHERE outcome IN ('open', 'suspended', 'killed', 'unknown')
        ORDER BY session, controller, visit
        """),
    Query(
      name: "what-is-lost", title: "What is missing, and why?",
      sql: """
        SELECT session, reason, sum(count) AS events, count(*) AS gaps
        FROM losses GROUP BY session, reason ORDER BY session, reason
        """),
    Query(
      name: "one-visit", title: "What happened to one visit?",
      sql: """
        SELECT seq, kind, reason, t_ms, cause, origin, thread, payload
        FROM history
        WHERE session = CAST(:session AS INTEGER) AND controller = :controller
          AND visit = CAST(:visit AS INTEGER)
        ORDER BY seq
        """),
    Query(
      name: "around-an-event", title: "What happened before and after an event?",
      sql: """
        SELECT seq, controller, visit, state, kind, reason, t_ms, cause
        FROM history
        WHERE session = CAST(:session AS INTEGER)
          AND seq BETWEEN CAST(:seq AS INTEGER) - 20 AND CAST(:seq AS INTEGER) + 20
        ORDER BY seq
        """),
    Query(
      name: "chain-of-causes", title: "Which events led to an event?",
      sql: """
        WITH RECURSIVE chain(seq, cause) AS (
          SELECT seq, cause FROM history
          WHERE session = CAST(:session AS INTEGER) AND seq = CAST(:seq AS INTEGER)
          UNION
          SELECT h.seq, h.cause FROM chain c JOIN history h
          ON h.session = CAST(:session AS INTEGER) AND h.seq = c.cause
        )
        SELECT h.seq, h.controller, h.visit, h.state, h.kind, h.reason, h.t_ms, h.cause
        FROM chain c JOIN history h ON h.session = CAST(:session AS INTEGER) AND h.seq = c.seq
        ORDER BY h.seq DESC
        """),
  ]
}
