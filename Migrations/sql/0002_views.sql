-- The public views, for `sqlite3`, Datasette or any other client. A later version may add columns, but does
-- not remove or change any.
--
-- A session's numbers end before the next session's first_seq, so a filter on `session` reads one range of
-- the table `event`.

CREATE VIEW history AS
SELECT
  s.id AS session,
  e.seq AS seq,
  cn.text AS controller,
  e.visit AS visit,
  sn.text AS state,
  CASE e.what & 31
    WHEN 1 THEN 'attached' WHEN 2 THEN 'detached' WHEN 3 THEN 'enqueued' WHEN 4 THEN 'entering'
    WHEN 5 THEN 'entered' WHEN 6 THEN 'exiting' WHEN 7 THEN 'exited' WHEN 8 THEN 'discarded'
    WHEN 9 THEN 'stray' WHEN 10 THEN 'cancelled' WHEN 11 THEN 'deadline' WHEN 12 THEN 'resumed'
    WHEN 13 THEN 'mark' WHEN 14 THEN 'lost' WHEN 15 THEN 'calling'
    WHEN 16 THEN 'stood' WHEN 17 THEN 'moved' WHEN 18 THEN 'received'
    WHEN 19 THEN 'sent'
  END AS kind,
  CASE WHEN e.what & 224 THEN CASE e.what & 255  -- kind | reason << 5
    WHEN 34 THEN 'continues'
    WHEN 40 THEN 'rejected' WHEN 72 THEN 'replaced' WHEN 104 THEN 'coalesced'
    WHEN 136 THEN 'cancelled' WHEN 168 THEN 'timed-out' WHEN 200 THEN 'torn-down'
    WHEN 37 THEN 'finished' WHEN 69 THEN 'unfinished' WHEN 39 THEN 'finished' WHEN 71 THEN 'unfinished'
    WHEN 41 THEN 'entered' WHEN 73 THEN 'exited'
    WHEN 105 THEN 'entered-unfinished' WHEN 137 THEN 'exited-unfinished'
    WHEN 42 THEN 'visit' WHEN 74 THEN 'all' WHEN 106 THEN 'tear-down'
    WHEN 43 THEN 'entering-report' WHEN 75 THEN 'entering-force' WHEN 107 THEN 'entering-skip'
    WHEN 139 THEN 'exiting-report' WHEN 171 THEN 'exiting-force' WHEN 203 THEN 'exiting-skip'
    WHEN 48 THEN 'waiting' WHEN 80 THEN 'entering' WHEN 112 THEN 'entered' WHEN 144 THEN 'exiting'
    WHEN 176 THEN 'exited'
    WHEN 49 THEN 'push' WHEN 81 THEN 'pop'
  END END AS reason,
  e.t / 1000.0 AS t_ms,
  strftime('%Y-%m-%dT%H:%M:%fZ', (e.t + coalesce(
    (SELECT a.wall_us - a.t_us FROM anchor a
     WHERE a.session = s.id AND a.t_us <= e.t ORDER BY a.t_us DESC LIMIT 1),
    s.wall_us)) / 1000 / 1000.0, 'unixepoch') AS at,
  e.seq - CASE WHEN e.ref IS NULL OR e.what & 31 = 3 THEN e.inside >> 2 ELSE e.ref END AS cause,
  e.seq - (e.inside >> 2) AS inside,
  CASE e.inside & 3
    WHEN 0 THEN 'handled' WHEN 1 THEN 'observed' WHEN 2 THEN 'performed' WHEN 3 THEN 'called'
  END AS part,
  a.origin AS origin,
  d.priority AS priority,
  e.what >> 8 & 63 AS thread,
  d.payload AS payload,
  CASE WHEN e.what & 31 = 3 THEN
    (SELECT p.file || ':' || p.line FROM site p WHERE p.id = e.ref)
  END AS site
FROM session s JOIN event e ON e.seq BETWEEN s.first_seq AND s.last_seq
  LEFT JOIN controller c ON c.id = e.what >> 14
  LEFT JOIN name cn ON cn.id = c.name
  LEFT JOIN name sn ON sn.id = e.state
  LEFT JOIN asking a ON a.seq = e.seq
  LEFT JOIN detail d ON d.seq = e.seq;

CREATE VIEW sessions AS
SELECT
  s.id AS session,
  s.uuid AS uuid,
  s.app AS app,
  s.app_version AS app_version,
  s.os AS os,
  strftime('%Y-%m-%dT%H:%M:%fZ', s.wall_us / 1000 / 1000.0, 'unixepoch') AS started_at,
  max(s.last_us, coalesce((SELECT max(a.t_us) FROM anchor a WHERE a.session = s.id), 0)) / 1000.0
    AS duration_ms,
  s.ended AS ended,
  (SELECT count(*) FROM controller c WHERE c.session = s.id) AS controllers,
  s.stored AS events,
  (SELECT coalesce(sum(l.count), 0) FROM loss l
   WHERE l.first_seq >= s.first_seq AND l.first_seq < coalesce(
     (SELECT min(n.first_seq) FROM session n WHERE n.first_seq > s.first_seq),
     9223372036854775807)) AS lost,
  s.payloads_left_out AS payloads_left_out,
  coalesce(s.run, s.uuid) AS run
FROM session s;

CREATE VIEW losses AS
SELECT
  s.id AS session,
  l.first_seq AS first_seq,
  l.last_seq AS last_seq,
  l.count AS count,
  l.reason AS reason
FROM session s JOIN loss l ON l.first_seq >= s.first_seq AND l.first_seq < coalesce(
  (SELECT min(n.first_seq) FROM session n WHERE n.first_seq > s.first_seq), 9223372036854775807);

CREATE VIEW violations AS
SELECT
  s.id AS session,
  f.code AS code,
  f.severity AS severity,
  (SELECT n.text FROM controller c JOIN name n ON n.id = c.name WHERE c.id = f.controller)
    AS controller,
  f.visit AS visit,
  (SELECT n.text FROM name n WHERE n.id = f.state) AS state,
  f.seq AS seq,
  f.detail AS detail
FROM session s JOIN finding f ON f.session = s.id;

-- One row for each visit, with its times in microseconds since the beginning of the session. Private, like
-- the tables; the basis of the views below.
--
-- `outcome`: 0 waiting, 1 exited, 2 exited by itself, 3 unknown because events are missing, 5 waiting for a
-- target, 6 entering, 7 entered, 8 exiting, 9 open when its controller was torn down, 10 goes on in another
-- row, 16 and above discarded. `until` is the end of the visit or, if it is open, of the recording.
CREATE VIEW _visit AS
SELECT
  s.id AS session,
  s.ended AS ended,
  v.seq AS seq,
  v.what >> 5 AS controller,
  c.name AS name,
  c.fidelity AS fidelity,
  c.discipline AS discipline,
  e.visit AS visit,
  v.state AS state,
  v."from" AS "from",
  v.what & 31 AS outcome,
  e.t AS since,
  e.what & 31 = 16 AS has_stood,  -- its first event is `stood`
  e.t + v.asked AS asked,
  -- A visit that was waiting when recording began counts from that time.
  coalesce(e.t + v.asked, CASE e.what & 255 WHEN 48 THEN e.t END) AS waits,
  e.t + v.turn AS turn,
  e.t + v.free AS free,
  e.t + v.told AS told,
  e.t + v.entered AS entered,
  e.t + v.dismissed AS dismissed,
  e.t + v.gone AS gone,
  coalesce(
    e.t + v.gone,
    max(s.last_us, coalesce((SELECT max(a.t_us) FROM anchor a WHERE a.session = s.id), 0))) AS until
FROM session s JOIN visit v ON v.seq BETWEEN s.first_seq AND s.last_seq
  JOIN event e ON e.seq = v.seq
  JOIN controller c ON c.id = v.what >> 5;

CREATE VIEW visits AS
SELECT
  v.session AS session,
  (SELECT n.text FROM name n WHERE n.id = v.name) AS controller,
  v.visit AS visit,
  (SELECT n.text FROM name n WHERE n.id = v.state) AS state,
  v.asked / 1000.0 AS enqueued_ms,
  v.told / 1000.0 AS entering_ms,
  -- A time before recording began is NULL, unless an earlier session of the process has it.
  CASE WHEN NOT v.has_stood OR v.entered <> v.since THEN v.entered / 1000.0 END AS entered_ms,
  CASE WHEN NOT v.has_stood OR v.dismissed <> v.since THEN v.dismissed / 1000.0 END AS exiting_ms,
  CASE WHEN v.outcome IN (1, 2) THEN v.gone / 1000.0 END AS exited_ms,
  CASE v.outcome
    WHEN 1 THEN 'exited' WHEN 2 THEN 'self-exit' WHEN 3 THEN 'unknown'
    WHEN 16 THEN 'discarded' WHEN 17 THEN 'rejected' WHEN 18 THEN 'replaced'
    WHEN 19 THEN 'coalesced' WHEN 20 THEN 'cancelled' WHEN 21 THEN 'timed-out'
    WHEN 22 THEN 'torn-down' WHEN 23 THEN 'discarded'
    -- What was open when its controller was released did not end with the process.
    ELSE CASE WHEN v.gone IS NULL AND v.ended IN ('suspended', 'killed') THEN v.ended ELSE 'open' END
  END AS outcome
FROM _visit v
WHERE v.outcome <> 10;

-- The durations of visits, waits and transitions, and the visits that are stuck.
--
-- SQLite applies a filter on `session` inside these views because `session` is in each PARTITION BY; with
-- GROUP BY it would not. To compute percentiles, a view numbers the rows of a group by duration and keeps
-- three: the median, the 95th percentile, and the last row, which also has the sums.
CREATE VIEW dwell AS
SELECT
  session,
  (SELECT n.text FROM name n WHERE n.id = name) AS controller,
  (SELECT n.text FROM name n WHERE n.id = state) AS state,
  visits,
  still_open,
  visits - known AS unknown,
  total / 1000.0 AS total_ms,
  mean / 1000.0 AS mean_ms,
  p50 / 1000.0 AS p50_ms,
  p95 / 1000.0 AS p95_ms,
  taken / 1000.0 AS max_ms
FROM (
  SELECT
    *,
    min(CASE place WHEN visits - known + (known + 1) / 2 THEN taken END) OVER w AS p50,
    min(CASE place WHEN visits - known + (95 * known + 99) / 100 THEN taken END) OVER w AS p95
  FROM (
    SELECT
      session, name, state, taken,
      row_number() OVER w AS place,
      count(*) OVER w AS visits,
      count(taken) OVER w AS known,
      sum(is_open) OVER w AS still_open,
      sum(taken) OVER w AS total,
      avg(taken) OVER w AS mean
    FROM (
      SELECT
        session, name, state,
        outcome IN (0, 5, 6, 7, 8, 9) AS is_open,
        CASE WHEN outcome <> 3 THEN max(until - entered, 0) END AS taken
      FROM _visit WHERE entered IS NOT NULL AND outcome <> 10
    )
    WINDOW w AS (
      PARTITION BY session, name, state ORDER BY taken
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
  )
  WHERE place IN (
    visits - known + (known + 1) / 2, visits - known + (95 * known + 99) / 100, visits)
  WINDOW w AS (PARTITION BY session, name, state)
)
WHERE place = visits;

CREATE VIEW waits AS
SELECT
  session,
  (SELECT n.text FROM name n WHERE n.id = name) AS controller,
  (SELECT n.text FROM name n WHERE n.id = state) AS state,
  visits,
  still_waiting,
  mean / 1000.0 AS mean_ms,
  p50 / 1000.0 AS p50_ms,
  p95 / 1000.0 AS p95_ms,
  taken / 1000.0 AS max_ms
FROM (
  SELECT
    *,
    min(CASE place WHEN (visits + 1) / 2 THEN taken END) OVER w AS p50,
    min(CASE place WHEN (95 * visits + 99) / 100 THEN taken END) OVER w AS p95
  FROM (
    SELECT
      session, name, state, taken,
      row_number() OVER w AS place,
      count(*) OVER w AS visits,
      sum(is_waiting) OVER w AS still_waiting,
      avg(taken) OVER w AS mean
    FROM (
      SELECT
        session, name, state,
        coalesce(told, entered) IS NULL AS is_waiting,
        max(coalesce(told, entered, until) - waits, 0) AS taken
      FROM _visit
      WHERE waits IS NOT NULL AND (
        coalesce(told, entered) IS NOT NULL OR outcome IN (0, 5, 9) AND dismissed IS NULL)
    )
    WINDOW w AS (
      PARTITION BY session, name, state ORDER BY taken
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
  )
  WHERE place IN ((visits + 1) / 2, (95 * visits + 99) / 100, visits)
  WINDOW w AS (PARTITION BY session, name, state)
)
WHERE place = visits;

CREATE VIEW transitions AS
SELECT
  session,
  (SELECT n.text FROM name n WHERE n.id = name) AS controller,
  (SELECT n.text FROM name n WHERE n.id = "from") AS "from",
  (SELECT n.text FROM name n WHERE n.id = state) AS "to",
  n,
  100.0 * n / sum(n) OVER (PARTITION BY session, name, "from") AS percent,
  p50 / 1000.0 AS p50_ms,
  p95 / 1000.0 AS p95_ms,
  taken / 1000.0 AS max_ms,
  (SELECT CASE WHEN c.is_routed THEN EXISTS (
      SELECT 1 FROM route r
      WHERE r.controller = c.id AND r."to" = state AND r."from" IN (-1, d."from")) END
    FROM controller c WHERE c.id = d.controller) AS declared
FROM (
  SELECT
    *,
    min(CASE place WHEN n - known + (known + 1) / 2 THEN taken END) OVER w AS p50,
    min(CASE place WHEN n - known + (95 * known + 99) / 100 THEN taken END) OVER w AS p95
  FROM (
    SELECT
      session, name, "from", state, taken,
      row_number() OVER w AS place,
      count(*) OVER w AS n,
      count(taken) OVER w AS known,
      max(controller) OVER w AS controller
    FROM (
      SELECT
        session, name, controller, "from", state,
        max(entered - asked, 0) AS taken
      FROM _visit WHERE "from" IS NOT NULL
    )
    WINDOW w AS (
      PARTITION BY session, name, "from", state ORDER BY taken
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
  )
  WHERE place IN (n - known + (known + 1) / 2, n - known + (95 * known + 99) / 100, n)
  WINDOW w AS (PARTITION BY session, name, "from", state)
) d
WHERE place = n;

-- The parts of each transition's duration: from `enqueued` to `exiting` of the state before (behind), to its
-- `exited` (exit), to `entering` of the new state (gap), and to its `entered` (enter). No part is negative,
-- and together they are the total.
CREATE VIEW slowest AS
SELECT
  session,
  (SELECT n.text FROM name n WHERE n.id = name) AS controller,
  visit,
  (SELECT n.text FROM name n WHERE n.id = "from") AS "from",
  (SELECT n.text FROM name n WHERE n.id = state) AS "to",
  asked / 1000.0 AS enqueued_ms,
  (ends - since) / 1000.0 AS total_ms,
  (turn - since) / 1000.0 AS behind_ms,
  (free - turn) / 1000.0 AS exit_ms,
  (begun - free) / 1000.0 AS gap_ms,
  (ends - begun) / 1000.0 AS enter_ms
FROM (
  SELECT
    s.id AS session, v.seq AS seq, c.name AS name, e.visit AS visit, v."from" AS "from",
    v.state AS state, e.t + v.asked AS asked,
    -- The columns below are in microseconds since the visit's first event, which is faster.
    v.asked AS since,
    v.turn AS turn,
    v.free AS free,
    coalesce(max(v.free, min(v.told, v.entered)), v.free) AS begun,
    max(v.asked, v.entered) AS ends
  FROM session s JOIN visit v ON v.seq BETWEEN s.first_seq AND s.last_seq
    JOIN event e ON e.seq = v.seq
    JOIN controller c ON c.id = v.what >> 5
  WHERE v."from" IS NOT NULL AND v.asked IS NOT NULL AND v.entered IS NOT NULL
)
ORDER BY ends - since DESC, seq;

CREATE VIEW stuck AS
SELECT
  session,
  (SELECT n.text FROM name n WHERE n.id = name) AS controller,
  visit,
  (SELECT n.text FROM name n WHERE n.id = state) AS state,
  CASE outcome WHEN 6 THEN 'entering' WHEN 8 THEN 'exiting' ELSE 'waiting' END AS reason,
  waited / 1000.0 AS waited_ms,
  coalesce(
    CASE
      -- With these disciplines, a visit does not wait for one that has entered.
      WHEN awaited_outcome = 7 AND discipline > 2 THEN NULL
      WHEN awaited_outcome = 6 THEN 'entered of '
      WHEN awaited_outcome = 8 OR fidelity = 3 THEN 'exited of '
      ELSE 'exiting of '
    END || awaited
      || coalesce(' ' || (SELECT n.text FROM name n WHERE n.id = awaited_state), ''),
    CASE
      WHEN outcome = 5 THEN 'resumed'
      -- With losses, another visit may be shown whose events are missing.
      WHEN NOT EXISTS (SELECT 1 FROM session s JOIN loss l ON l.first_seq BETWEEN s.first_seq
        AND s.last_seq WHERE s.id = d.session)
      THEN CASE fidelity WHEN 3 THEN 'entered of ' ELSE 'entering of ' END || visit
        || coalesce(' ' || (SELECT n.text FROM name n WHERE n.id = state), '')
    END) AS waiting_for
FROM (
  SELECT
    session, controller, name, fidelity, discipline, visit, state, outcome,
    max(until - CASE outcome
      WHEN 8 THEN dismissed WHEN 6 THEN coalesce(told, since) ELSE waits END, 0) AS waited,
    -- The visit that has to make progress: this one or, while it waits, the one that is shown.
    CASE WHEN outcome > 5 THEN visit
      ELSE first_value(CASE WHEN outcome > 5 THEN visit END) OVER w END AS awaited,
    CASE WHEN outcome > 5 THEN state
      ELSE first_value(CASE WHEN outcome > 5 THEN state END) OVER w END AS awaited_state,
    CASE WHEN outcome > 5 THEN outcome
      ELSE first_value(CASE WHEN outcome > 5 THEN outcome END) OVER w END AS awaited_outcome
  FROM _visit WHERE outcome IN (0, 5, 6, 7, 8)
  WINDOW w AS (
    PARTITION BY session, controller
    ORDER BY outcome IN (0, 5),
      coalesce(told, entered, CASE WHEN has_stood THEN since END) DESC, seq DESC)
) d
WHERE outcome <> 7
ORDER BY waited DESC, session, controller, visit;
