-- An event says whether it was done by observers when they were told of its cause: the bit of 128 in
-- `event.what`, which was the highest of the reason and has never been set.
--
-- what: kind | reason << 4 | heard << 7 | thread << 8 | controller << 14
--
-- Of which controllers this is known stands in their snapshots.

DROP VIEW history;

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
  CASE e.what & 127  -- kind | reason << 4
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
  (SELECT a.origin FROM asking a WHERE a.seq = e.seq) AS origin,
  e.what >> 8 & 63 AS thread,
  (SELECT d.payload FROM detail d WHERE d.seq = e.seq) AS payload
FROM session s JOIN event e ON e.seq BETWEEN s.first_seq AND s.last_seq;

DROP VIEW _visit;

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
  g.high AS high,
  c.since AS since,
  c.since_us AS since_us
FROM (
  -- What happened to a controller itself has no visit, and takes these places: attached `entering`,
  -- detached `entered`, resumed `exiting`, torn down `gone`. A deadline that takes a visit for being
  -- in counts as its `entered`.
  SELECT
    s.id AS session,
    (e.what & -16384) << 18 | coalesce(e.visit, 0) AS visit,
    max(e.state) AS state,
    min(CASE e.what & 15 WHEN 3 THEN e.t END) AS enqueued,
    min(CASE WHEN e.what & 15 IN (1, 4) THEN e.t END) AS entering,
    min(CASE WHEN e.what & 15 IN (2, 5, 11) THEN e.t END) AS entered,
    min(CASE WHEN e.what & 15 IN (6, 12) THEN e.t END) AS exiting,
    min(CASE WHEN e.what & 15 IN (7, 8, 10) THEN e.t END) AS gone,
    min(CASE WHEN e.what & 15 IN (1, 4, 5) THEN e.seq END) AS come,
    max(e.seq) AS high
  FROM session s JOIN event e ON e.seq BETWEEN s.first_seq AND s.last_seq
  WHERE CASE
    WHEN e.visit IS NULL THEN e.what & 15 IN (1, 2, 12) OR e.what & 127 = 58
    ELSE e.what & 15 BETWEEN 3 AND 8 OR e.what & 127 = 43
  END
  GROUP BY s.id, (e.what & -16384) << 18 | coalesce(e.visit, 0)
) g JOIN controller c ON c.id = g.visit >> 32 AND c.session = g.session
UNION ALL
SELECT
  p.session, p.controller, p.name, p.visit,
  coalesce((SELECT n.id FROM name n WHERE n.text = p.state), p.state),
  p.stood, NULL, NULL, NULL, NULL, NULL, p.come, NULL, p.since, p.since_us
FROM _standing p;
