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
  CASE e.what & 15
    WHEN 1 THEN 'attached' WHEN 2 THEN 'detached' WHEN 3 THEN 'enqueued' WHEN 4 THEN 'entering'
    WHEN 5 THEN 'entered' WHEN 6 THEN 'exiting' WHEN 7 THEN 'exited' WHEN 8 THEN 'discarded'
    WHEN 9 THEN 'stray' WHEN 10 THEN 'cancelled' WHEN 11 THEN 'deadline' WHEN 12 THEN 'resumed'
    WHEN 13 THEN 'mark' WHEN 14 THEN 'lost'
  END AS kind,
  CASE e.what & 255  -- kind | reason << 4
    WHEN 24 THEN 'rejected' WHEN 40 THEN 'replaced' WHEN 56 THEN 'coalesced'
    WHEN 72 THEN 'cancelled' WHEN 88 THEN 'timed-out' WHEN 104 THEN 'torn-down'
    WHEN 25 THEN 'entered' WHEN 41 THEN 'exited'
    WHEN 26 THEN 'visit' WHEN 42 THEN 'all' WHEN 58 THEN 'tear-down'
    WHEN 27 THEN 'entering-report' WHEN 43 THEN 'entering-force' WHEN 59 THEN 'entering-skip'
    WHEN 75 THEN 'leaving-report' WHEN 91 THEN 'leaving-force' WHEN 107 THEN 'leaving-skip'
  END AS reason,
  e.t / 1000.0 AS t_ms,
  strftime('%Y-%m-%dT%H:%M:%fZ', (e.t + coalesce(
    (SELECT a.wall_us - a.t_us FROM anchor a
     WHERE a.session = s.id AND a.t_us <= e.t ORDER BY a.t_us DESC LIMIT 1),
    s.wall_us)) / 1000 / 1000.0, 'unixepoch') AS at,
  e.seq - e.back AS cause,
  (SELECT d.origin FROM detail d WHERE d.seq = e.seq) AS origin,
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
     9223372036854775807)) AS lost
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
          AND NOT EXISTS (SELECT 1 FROM loss l
            WHERE l.first_seq BETWEEN v.low AND v.high OR l.last_seq BETWEEN v.low AND v.high)
        THEN 'self-exit'
        ELSE 'exited'
      END
    WHEN EXISTS (SELECT 1 FROM loss l
      WHERE l.last_seq > v.high AND l.first_seq < coalesce(
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
    min(CASE e.what & 15 WHEN 3 THEN e.t END) AS enqueued,
    min(CASE e.what & 15 WHEN 4 THEN e.t END) AS entering,
    min(CASE e.what & 15 WHEN 5 THEN e.t END) AS entered,
    min(CASE e.what & 15 WHEN 6 THEN e.t END) AS exiting,
    min(CASE e.what & 15 WHEN 7 THEN e.t END) AS exited,
    min(CASE e.what & 15 WHEN 8 THEN e.what >> 4 & 15 END) AS discarded,
    min(e.seq) AS low,
    max(e.seq) AS high
  FROM session s JOIN event e ON e.seq BETWEEN s.first_seq AND s.last_seq
  WHERE e.visit IS NOT NULL AND e.what & 15 BETWEEN 3 AND 8
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
