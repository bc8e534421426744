-- What others may read: `sqlite3`, Datasette or any other client. Columns are only ever added.
--
-- A session owns the numbers from its first_seq to the one before the next session's, so a filter
-- on `session` reads one range of the table of events.

CREATE VIEW history AS
SELECT
  s.id AS session,
  e.seq AS seq,
  (SELECT n.text FROM controller c JOIN name n ON n.id = c.name WHERE c.id = e.what >> 14)
    AS controller,
  e.visit AS visit,
  (SELECT n.text FROM name n WHERE n.id = e.state) AS state,
  CASE e.what & 31
    WHEN 1 THEN 'attached' WHEN 2 THEN 'detached' WHEN 3 THEN 'enqueued' WHEN 4 THEN 'entering'
    WHEN 5 THEN 'entered' WHEN 6 THEN 'exiting' WHEN 7 THEN 'exited' WHEN 8 THEN 'discarded'
    WHEN 9 THEN 'stray' WHEN 10 THEN 'cancelled' WHEN 11 THEN 'deadline' WHEN 12 THEN 'resumed'
    WHEN 13 THEN 'mark' WHEN 14 THEN 'lost' WHEN 15 THEN 'calling'
  END AS kind,
  CASE e.what & 255  -- kind | reason << 5
    WHEN 40 THEN 'rejected' WHEN 72 THEN 'replaced' WHEN 104 THEN 'coalesced'
    WHEN 136 THEN 'cancelled' WHEN 168 THEN 'timed-out' WHEN 200 THEN 'torn-down'
    WHEN 41 THEN 'entered' WHEN 73 THEN 'exited'
    WHEN 42 THEN 'visit' WHEN 74 THEN 'all' WHEN 106 THEN 'tear-down'
    WHEN 43 THEN 'entering-report' WHEN 75 THEN 'entering-force' WHEN 107 THEN 'entering-skip'
    WHEN 139 THEN 'leaving-report' WHEN 171 THEN 'leaving-force' WHEN 203 THEN 'leaving-skip'
  END AS reason,
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
  (SELECT a.origin FROM asking a WHERE a.seq = e.seq) AS origin,
  (SELECT d.priority FROM detail d WHERE d.seq = e.seq) AS priority,
  e.what >> 8 & 63 AS thread,
  (SELECT d.payload FROM detail d WHERE d.seq = e.seq) AS payload
FROM session s JOIN event e ON e.seq BETWEEN s.first_seq AND s.last_seq;

CREATE VIEW sessions AS
SELECT
  s.id AS session,
  s.uuid AS uuid,
  s.app AS app,
  s.app_version AS app_version,
  s.os AS os,
  strftime('%Y-%m-%dT%H:%M:%fZ', s.wall_us / 1000 / 1000.0, 'unixepoch') AS started_at,
  s.last_us / 1000.0 AS duration_ms,
  s.ended AS ended,
  (SELECT count(*) FROM controller c WHERE c.session = s.id) AS controllers,
  s.stored AS events,
  (SELECT coalesce(sum(l.count), 0) FROM loss l
   WHERE l.first_seq >= s.first_seq AND l.first_seq < coalesce(
     (SELECT min(n.first_seq) FROM session n WHERE n.first_seq > s.first_seq),
     9223372036854775807)) AS lost,
  s.payloads_left_out AS payloads_left_out
FROM session s;

CREATE VIEW visits AS
SELECT
  v.session AS session,
  (SELECT n.text FROM controller c JOIN name n ON n.id = c.name WHERE c.id = v.controller)
    AS controller,
  v.visit AS visit,
  (SELECT n.text FROM name n WHERE n.id = v.state) AS state,
  v.enqueued / 1000.0 AS enqueued_ms,
  v.entering / 1000.0 AS entering_ms,
  v.entered / 1000.0 AS entered_ms,
  v.exiting / 1000.0 AS exiting_ms,
  v.exited / 1000.0 AS exited_ms,
  CASE
    WHEN v.discarded IS NOT NULL THEN
      CASE v.discarded
        WHEN 1 THEN 'rejected' WHEN 2 THEN 'replaced' WHEN 3 THEN 'coalesced'
        WHEN 4 THEN 'cancelled' WHEN 5 THEN 'timed-out' WHEN 6 THEN 'torn-down'
        ELSE 'discarded'
      END
    -- It left by itself: nobody told it to, and nobody's telling can be among what was lost.
    WHEN v.exited IS NOT NULL THEN
      CASE
        WHEN v.exiting IS NULL
          AND (SELECT c.fidelity FROM controller c WHERE c.id = v.controller) <> 3
          AND NOT EXISTS (SELECT 1 FROM loss l WHERE l.first_seq BETWEEN v.low AND v.high)
        THEN 'self-exit'
        ELSE 'exited'
      END
    WHEN EXISTS (SELECT 1 FROM loss l
      WHERE l.first_seq > v.high AND l.first_seq < coalesce(
        (SELECT min(n.first_seq) FROM session n WHERE n.first_seq > v.high),
        9223372036854775807))
    THEN 'unknown'
    WHEN v.ended = 'crash' THEN 'crash'
    ELSE 'open'
  END AS outcome
FROM (
  SELECT
    s.id AS session,
    s.ended AS ended,
    e.what >> 14 AS controller,
    e.visit AS visit,
    max(e.state) AS state,
    min(CASE e.what & 31 WHEN 3 THEN e.t END) AS enqueued,
    min(CASE e.what & 31 WHEN 4 THEN e.t END) AS entering,
    min(CASE e.what & 31 WHEN 5 THEN e.t END) AS entered,
    min(CASE e.what & 31 WHEN 6 THEN e.t END) AS exiting,
    min(CASE e.what & 31 WHEN 7 THEN e.t END) AS exited,
    min(CASE e.what & 31 WHEN 8 THEN e.what >> 5 & 7 END) AS discarded,
    min(e.seq) AS low,
    max(e.seq) AS high
  FROM session s JOIN event e ON e.seq BETWEEN s.first_seq AND s.last_seq
  WHERE e.visit IS NOT NULL AND e.what & 31 BETWEEN 3 AND 8
  GROUP BY s.id, e.what >> 14, e.visit
) v;

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

-- How long visits were in and waited, which moves were made and what took their time, and who cannot
-- go on. Nothing is stored for it: all follows from the events.
--
-- SQLite carries a filter on `session` inwards as long as what is inside has it in each PARTITION BY;
-- through a second GROUP BY it does not. So visits are grouped once, and from there on there are only
-- windows: a group's row is the first of its partition, where everything is known of all of it.
--
-- A run of lost numbers has no event in it, so one that lies between two events begins between them:
-- that is asked of `loss` by its key.
--
-- `_standing`, `_visit`, `_span` and `_move` are what the others share. They are as private as tables; their times
-- are microseconds.

-- What snapshots say of visits that were there before the recording: 16 waiting, 17 coming in, 18 in, 19
-- leaving, 20 gone. They have come before all others, in the order in which the snapshot has them.
--
-- Of JSON only the tables are used: SQLite 3.40 takes the functions for unsafe in a view. A text that is
-- no object, as where nothing is known, has no rows.
CREATE VIEW _standing AS
SELECT
  c.session AS session,
  c.id AS controller,
  c.name AS name,
  (SELECT f.value FROM json_each(j.value) f WHERE f.key = 'visit') AS visit,
  (SELECT f.value || '' FROM json_each(j.value) f WHERE f.key = 'state') AS state,
  16 + CASE l.key WHEN 'standing' THEN
    coalesce((SELECT f.value FROM json_each(j.value) f WHERE f.key = 'phase'), 0) ELSE 0 END
    AS stood,
  CASE l.key WHEN 'standing' THEN j.key - 1000000000 END AS come
FROM controller c
  JOIN json_each(CASE WHEN c.snapshot GLOB '{*}' THEN c.snapshot ELSE '{}' END) l
  JOIN json_each(l.value) j
WHERE l.key IN ('standing', 'waiting') AND l.type = 'array' AND j.type = 'object';

-- One row for each visit, and one with visit 0 for the controller itself. A visit of the snapshot has a
-- row without events, which alone says how it stood, and then one with events if there are any.
CREATE VIEW _visit AS
SELECT
  g.session AS session,
  g.visit >> 32 AS controller,
  c.name AS name,
  g.visit & 4294967295 AS visit,
  g.state AS state,
  NULL AS stood,
  g.enqueued AS enqueued,
  g.entering AS entering,
  g.entered AS entered,
  g.exiting AS exiting,
  g.gone AS gone,
  g.come AS come,
  g.high AS high
FROM (
  -- What happened to a controller itself has no visit, and takes these places: attached `entering`,
  -- detached `entered`, resumed `exiting`, torn down `gone`. A deadline that takes a visit for being
  -- in counts as its `entered`.
  SELECT
    s.id AS session,
    (e.what & -16384) << 18 | coalesce(e.visit, 0) AS visit,
    max(e.state) AS state,
    min(CASE e.what & 31 WHEN 3 THEN e.t END) AS enqueued,
    min(CASE WHEN e.what & 31 IN (1, 4) THEN e.t END) AS entering,
    min(CASE WHEN e.what & 31 IN (2, 5, 11) THEN e.t END) AS entered,
    min(CASE WHEN e.what & 31 IN (6, 12) THEN e.t END) AS exiting,
    min(CASE WHEN e.what & 31 IN (7, 8, 10) THEN e.t END) AS gone,
    min(CASE WHEN e.what & 31 IN (1, 4, 5) THEN e.seq END) AS come,
    max(e.seq) AS high
  FROM session s JOIN event e ON e.seq BETWEEN s.first_seq AND s.last_seq
  WHERE CASE
    WHEN e.visit IS NULL THEN e.what & 31 IN (1, 2, 12) OR e.what & 255 = 106
    ELSE e.what & 31 BETWEEN 3 AND 8 OR e.what & 255 = 75
  END
  GROUP BY s.id, (e.what & -16384) << 18 | coalesce(e.visit, 0)
) g JOIN controller c ON c.id = g.visit >> 32 AND c.session = g.session
UNION ALL
SELECT
  p.session, p.controller, p.name, p.visit,
  coalesce((SELECT n.id FROM name n WHERE n.text = p.state), p.state),
  p.stood, NULL, NULL, NULL, NULL, NULL, p.come, NULL
FROM _standing p;

-- One row for each visit, with the time up to which it can be followed.
CREATE VIEW _span AS
SELECT
  v.session AS session,
  v.controller AS controller,
  v.name AS name,
  v.visit AS visit,
  v.state AS state,
  CASE WHEN v.stood_first = 16 THEN coalesce(v.enqueued, v.start) ELSE v.enqueued END AS asked,
  coalesce(v.entering, v.entered) AS told,
  CASE WHEN v.stood_first IN (18, 19) THEN coalesce(v.entered, v.start) ELSE v.entered END AS entered,
  CASE WHEN v.stood_first = 19 THEN coalesce(v.exiting, v.start) ELSE v.exiting END AS exiting,
  v.gone AS gone,
  v.stood_first AS stood,
  v.start AS start,
  v.come_first AS come,
  v.is_torn_down AS is_torn_down,
  v.has_resumed AS has_resumed,
  v.seen AS seen,
  CASE WHEN v.gone IS NULL THEN
    coalesce(v.detached, (SELECT s.last_us FROM session s WHERE s.id = v.session))
  END AS until,
  -- Whether what became of it may be among what was lost.
  v.gone IS NULL AND EXISTS (SELECT 1 FROM loss l
    WHERE l.first_seq > v.seen AND l.first_seq < coalesce(
      (SELECT min(n.first_seq) FROM session n WHERE n.first_seq > v.seen),
      9223372036854775807)) AS is_lost
FROM (
  SELECT
    *,
    CASE visit WHEN before THEN before_stood ELSE stood END AS stood_first,
    CASE visit WHEN before THEN coalesce(before_come, come) ELSE come END AS come_first
  FROM (
    SELECT
      session, controller, name, visit, state, enqueued, entering, entered, exiting, gone,
      stood, come, lag(visit) OVER w AS before, lag(stood) OVER w AS before_stood,
      lag(come) OVER w AS before_come,
      coalesce(first_value(CASE visit WHEN 0 THEN entering END) OVER w, 0) AS start,
      coalesce(
        high, first_value(CASE visit WHEN 0 THEN come END) OVER w,
        (SELECT s.first_seq FROM session s WHERE s.id = session)) AS seen,
      first_value(CASE visit WHEN 0 THEN entered END) OVER w AS detached,
      first_value(CASE visit WHEN 0 THEN gone END) OVER w IS NOT NULL AS is_torn_down,
      first_value(CASE visit WHEN 0 THEN exiting END) OVER w IS NOT NULL AS has_resumed,
      lead(visit) OVER w IS visit AS is_repeated
    FROM _visit
    WINDOW w AS (PARTITION BY session, controller ORDER BY visit, high)
  )
) v
WHERE v.visit > 0 AND NOT v.is_repeated;

CREATE VIEW dwell AS
SELECT
  d.session AS session,
  (SELECT n.text FROM name n WHERE n.id = d.name) AS controller,
  CASE typeof(d.state) WHEN 'integer' THEN (SELECT n.text FROM name n WHERE n.id = d.state)
    ELSE d.state END AS state,
  d.visits AS visits,
  d.still_open AS still_open,
  d.unknown AS unknown,
  d.total / 1000.0 AS total_ms,
  d.mean / 1000.0 AS mean_ms,
  d.p50 / 1000.0 AS p50_ms,
  d.p95 / 1000.0 AS p95_ms,
  d.longest / 1000.0 AS max_ms
FROM (
  SELECT
    session, name, state,
    key,
    first_value(key) OVER w AS first,
    count(*) OVER w AS visits,
    sum(is_open) OVER w AS still_open,
    sum(taken IS NULL) OVER w AS unknown,
    sum(taken) OVER w AS total,
    avg(taken) OVER w AS mean,
    min(CASE WHEN rank >= 0.5 THEN taken END) OVER w AS p50,
    min(CASE WHEN rank >= 0.95 THEN taken END) OVER w AS p95,
    max(taken) OVER w AS longest
  FROM (
    SELECT
      session, name, state, key, is_open, taken,
      cume_dist() OVER (PARTITION BY session, name, state, taken IS NULL ORDER BY taken) AS rank
    FROM (
      SELECT
        session, name, state, controller << 32 | visit AS key,
        gone IS NULL AND NOT is_lost AS is_open,
        CASE WHEN NOT is_lost THEN max(coalesce(gone, until) - entered, 0) END AS taken
      FROM _span
      WHERE entered IS NOT NULL
    )
  )
  WINDOW w AS (
    PARTITION BY session, name, state
    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
) d
WHERE d.key = d.first;

CREATE VIEW waits AS
SELECT
  d.session AS session,
  (SELECT n.text FROM name n WHERE n.id = d.name) AS controller,
  CASE typeof(d.state) WHEN 'integer' THEN (SELECT n.text FROM name n WHERE n.id = d.state)
    ELSE d.state END AS state,
  d.visits AS visits,
  d.still_waiting AS still_waiting,
  d.mean / 1000.0 AS mean_ms,
  d.p50 / 1000.0 AS p50_ms,
  d.p95 / 1000.0 AS p95_ms,
  d.longest / 1000.0 AS max_ms
FROM (
  SELECT
    session, name, state,
    key,
    first_value(key) OVER w AS first,
    count(*) OVER w AS visits,
    sum(is_waiting) OVER w AS still_waiting,
    avg(taken) OVER w AS mean,
    min(CASE WHEN rank >= 0.5 THEN taken END) OVER w AS p50,
    min(CASE WHEN rank >= 0.95 THEN taken END) OVER w AS p95,
    max(taken) OVER w AS longest
  FROM (
    SELECT
      session, name, state, key, is_waiting, taken,
      cume_dist() OVER (PARTITION BY session, name, state ORDER BY taken) AS rank
    FROM (
      SELECT
        session, name, state, controller << 32 | visit AS key, told IS NULL AS is_waiting,
        max(coalesce(told, until) - asked, 0) AS taken
      FROM _span
      WHERE asked IS NOT NULL AND (told IS NOT NULL OR gone IS NULL AND NOT is_lost
        AND exiting IS NULL)
    )
  )
  WINDOW w AS (
    PARTITION BY session, name, state
    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
) d
WHERE d.key = d.first;

-- One row for each time a controller let a visit come, with the state that it had let come before.
--
-- Its time is cut where the one before was told to leave (`turn`), where that was out (`free`), and
-- where this one was told to come in: each no earlier than the one before, none after this one was in.
-- They are worked out beside the windows, as further out SQLite would do it anew for each use. What a
-- snapshot says of a visit is in the row before the visit's: to look it up once a visit would read the
-- snapshot as often.
CREATE VIEW _move AS
SELECT
  m.session AS session,
  m.controller AS controller,
  m.name AS name,
  m.visit AS visit,
  m.from_state AS from_state,
  m.state AS state,
  m.enqueued AS enqueued,
  m.turn AS turn,
  m.free AS free,
  coalesce(m.told, m.free) AS told,
  m.entered AS entered
FROM (
  SELECT
    session, controller, name, visit, state, enqueued, come,
    max(enqueued, entered) AS entered,
    max(enqueued, min(entering, coalesce(entered, entering))) AS told,
    lag(state) OVER w AS from_state,
    -- Who never left is in the way until this one comes; where nobody was before, nobody is.
    max(enqueued, min(coalesce(lag(leaves, 1, 0) OVER w, latest), latest)) AS turn,
    max(
      enqueued, min(coalesce(lag(leaves, 1, 0) OVER w, latest), latest),
      min(coalesce(lag(leaves_free, 1, 0) OVER w, latest), latest)) AS free,
    lag(CASE WHEN visit > 0 THEN come END) OVER w AS before,
    first_value(CASE visit WHEN 0 THEN come END) OVER w AS attached
  FROM (
    SELECT
      session, controller, name, visit, state, enqueued, entering, entered, come, high,
      max(enqueued, min(coalesce(entering, entered), coalesce(entered, entering))) AS latest,
      CASE WHEN visit = 0 OR stood = 20 THEN 0 WHEN stood = 19 THEN coalesce(exiting, 0)
        ELSE coalesce(exiting, gone) END AS leaves,
      CASE WHEN visit = 0 OR stood = 20 THEN 0 ELSE gone END AS leaves_free
    FROM (
      -- Whoever was asked for in the recording was not there before.
      SELECT
        session, controller, name, visit, state, enqueued, entering, entered, exiting, gone, high,
        CASE WHEN enqueued IS NULL AND lag(visit) OVER w IS visit THEN lag(stood) OVER w
          ELSE stood END AS stood,
        CASE WHEN enqueued IS NULL AND lag(visit) OVER w IS visit
          THEN coalesce(lag(come) OVER w, come) ELSE come END AS come
      FROM _visit
      WINDOW w AS (PARTITION BY session, controller ORDER BY visit, high)
    )
    WHERE come IS NOT NULL
  )
  WINDOW w AS (PARTITION BY session, controller ORDER BY visit > 0, come, high)
) m
WHERE m.visit > 0 AND m.come > 0
  -- Who came before is not known if that may be among what was lost.
  AND (m.before IS NOT NULL
    OR (SELECT c.snapshot GLOB '{*}' FROM controller c WHERE c.id = m.controller))
  AND NOT EXISTS (SELECT 1 FROM loss l WHERE l.first_seq BETWEEN
    CASE WHEN m.before > 0 THEN m.before ELSE coalesce(m.attached,
      (SELECT s.first_seq FROM session s WHERE s.id = m.session)) END
    AND m.come);

CREATE VIEW slowest AS
SELECT
  m.session AS session,
  (SELECT n.text FROM name n WHERE n.id = m.name) AS controller,
  m.visit AS visit,
  CASE typeof(m.from_state) WHEN 'integer' THEN (SELECT n.text FROM name n WHERE n.id = m.from_state)
    ELSE m.from_state END AS "from",
  (SELECT n.text FROM name n WHERE n.id = m.state) AS "to",
  m.enqueued / 1000.0 AS enqueued_ms,
  -- Added up from its parts, so that it is their sum to the last bit.
  (m.turn - m.enqueued) / 1000.0 + (m.free - m.turn) / 1000.0 + (m.told - m.free) / 1000.0
    + (m.entered - m.told) / 1000.0 AS total_ms,
  (m.turn - m.enqueued) / 1000.0 AS behind_ms,
  (m.free - m.turn) / 1000.0 AS exit_ms,
  (m.told - m.free) / 1000.0 AS gap_ms,
  (m.entered - m.told) / 1000.0 AS enter_ms
FROM _move m
WHERE m.entered - m.enqueued >= 0
ORDER BY m.entered - m.enqueued DESC, m.session, m.controller, m.visit;

CREATE VIEW transitions AS
SELECT
  d.session AS session,
  (SELECT n.text FROM name n WHERE n.id = d.name) AS controller,
  d."from" AS "from",
  d."to" AS "to",
  d.n AS n,
  100.0 * d.n / sum(d.n) OVER (PARTITION BY d.session, d.name, d.from_state) AS percent,
  d.p50 / 1000.0 AS p50_ms,
  d.p95 / 1000.0 AS p95_ms,
  d.longest / 1000.0 AS max_ms,
  (SELECT EXISTS (SELECT 1 FROM json_each(l.value) r
     WHERE r.type = 'object'
       AND (SELECT f.value FROM json_each(r.value) f WHERE f.key = 'to') = d."to"
       AND ((SELECT f.value FROM json_each(r.value) f WHERE f.key = 'isAnywhere') IS 1
         OR (SELECT f.value FROM json_each(r.value) f WHERE f.key = 'from') IS d."from"))
   FROM controller c
     JOIN json_each(CASE WHEN c.snapshot GLOB '{*}' THEN c.snapshot ELSE '{}' END) l
   WHERE c.id = d.controller AND l.key = 'routes' AND l.type = 'array') AS declared
FROM (
  SELECT
    g.*,
    CASE typeof(g.from_state)
      WHEN 'integer' THEN (SELECT n.text FROM name n WHERE n.id = g.from_state)
      ELSE g.from_state END AS "from",
    (SELECT n.text FROM name n WHERE n.id = g.state) AS "to"
  FROM (
    SELECT
      session, name, from_state, state,
      key,
      first_value(key) OVER w AS first,
      max(controller) OVER w AS controller,
      count(*) OVER w AS n,
      min(CASE WHEN rank >= 0.5 THEN taken END) OVER w AS p50,
      min(CASE WHEN rank >= 0.95 THEN taken END) OVER w AS p95,
      max(taken) OVER w AS longest
    FROM (
      SELECT
        session, name, from_state, state, controller, key, taken,
        cume_dist() OVER (
          PARTITION BY session, name, from_state, state, taken IS NULL ORDER BY taken) AS rank
      FROM (
        SELECT
          session, name, from_state, state, controller, controller << 32 | visit AS key,
          entered - enqueued AS taken
        FROM _move
      )
    )
    WINDOW w AS (
      PARTITION BY session, name, from_state, state
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
  ) g
  WHERE g.key = g.first
) d;

CREATE VIEW stuck AS
SELECT
  d.session AS session,
  (SELECT n.text FROM name n WHERE n.id = d.name) AS controller,
  d.visit AS visit,
  d.state AS state,
  d.reason AS reason,
  d.waited / 1000.0 AS waited_ms,
  CASE
    WHEN d.reason <> 'waiting' THEN
      CASE d.reason WHEN 'exiting' THEN 'exited' ELSE 'entered' END || ' of ' || d.visit
        || coalesce(' ' || d.state, '')
    WHEN d.ahead IS NOT NULL THEN
      CASE d.ahead_phase
        WHEN 'entering' THEN 'entered'
        WHEN 'exiting' THEN 'exited'
        ELSE CASE d.fidelity WHEN 3 THEN 'exited' ELSE 'exiting' END
      END || ' of ' || d.ahead || coalesce(' ' || d.ahead_state, '')
    WHEN d.is_withholding THEN 'resumed'
    -- Who is on the stage may be among what was lost.
    WHEN EXISTS (SELECT 1 FROM session s JOIN loss l ON l.first_seq BETWEEN s.first_seq AND d.seen
      WHERE s.id = d.session) THEN NULL
    ELSE CASE d.fidelity WHEN 3 THEN 'entered' ELSE 'entering' END || ' of ' || d.visit
      || coalesce(' ' || d.state, '')
  END AS waiting_for
FROM (
  SELECT
    o.session, o.controller, o.name, o.visit, o.state, o.phase AS reason, o.waited, o.seen,
    o.ahead, o.ahead_state, o.ahead_phase, c.fidelity,
    NOT o.has_resumed AND (SELECT l.value FROM json_each(
      CASE WHEN c.snapshot GLOB '{*}' THEN c.snapshot ELSE '{}' END) l
      WHERE l.key = 'isWithholding') IS 1 AS is_withholding
  FROM (
    SELECT
      *,
      max(until - CASE phase
        WHEN 'exiting' THEN exiting WHEN 'entering' THEN coalesce(told, start) ELSE asked END, 0)
        AS waited,
      first_value(CASE WHEN phase <> 'waiting' THEN visit END) OVER w AS ahead,
      first_value(CASE WHEN phase <> 'waiting' THEN state END) OVER w AS ahead_state,
      first_value(CASE WHEN phase <> 'waiting' THEN phase END) OVER w AS ahead_phase
    FROM (
      SELECT
        session, controller, name, visit,
        CASE typeof(state) WHEN 'integer' THEN (SELECT n.text FROM name n WHERE n.id = state)
          ELSE state END AS state,
        CASE
          WHEN exiting IS NOT NULL THEN 'exiting'
          WHEN entered IS NOT NULL THEN 'in'
          WHEN told IS NOT NULL OR stood = 17 THEN 'entering'
          ELSE 'waiting'
        END AS phase,
        asked, told, start, entered, exiting, come, seen, has_resumed, until
      FROM _span
      WHERE gone IS NULL AND NOT is_lost AND NOT is_torn_down AND coalesce(stood, 0) <> 20
    )
    WINDOW w AS (PARTITION BY session, controller ORDER BY phase = 'waiting', come DESC, visit DESC)
  ) o JOIN controller c ON c.id = o.controller
  WHERE o.phase <> 'in'
) d
ORDER BY d.waited DESC, d.session, d.controller, d.visit;
