-- Where the beginning of a session was cut off, because a history is limited.
--
-- The rows of `chain` of what is gone are one anchor, those of `loss` one for each reason. A session
-- still owns its numbers: it has drawn as many as are stored, cut off and lost.

CREATE TABLE cut (
  session INTEGER PRIMARY KEY REFERENCES session(id) ON DELETE CASCADE,
  seq     INTEGER NOT NULL,  -- the first number that was not cut off
  events  INTEGER NOT NULL,  -- how many events were
  t_us    INTEGER NOT NULL,  -- the time of the last of them
  sum     INTEGER NOT NULL   -- checksum of this, of the anchor and of where controllers stood
) STRICT;

-- If its `attached` is gone, `snapshot` says where the controller stood just before event `since`.
ALTER TABLE controller ADD COLUMN cut INTEGER;  -- 0 its recording was over, 1 known, 2 not known
ALTER TABLE controller ADD COLUMN since INTEGER;
ALTER TABLE controller ADD COLUMN since_us INTEGER;

-- What the events of `asked`, `entered` and `exited` said that are gone.
ALTER TABLE standing ADD COLUMN payload BLOB;
ALTER TABLE standing ADD COLUMN entered_us INTEGER;
ALTER TABLE standing ADD COLUMN exited_us INTEGER;

DROP VIEW sessions;

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
  s.payloads_left_out AS payloads_left_out,
  coalesce((SELECT k.events FROM cut k WHERE k.session = s.id), 0) AS pruned
FROM session s;

DROP VIEW visits;

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
    -- It left by itself: nobody told it to, and nobody's telling can be among what was lost or
    -- cut off.
    WHEN v.exited IS NOT NULL THEN
      CASE
        WHEN v.exiting IS NULL
          AND (v.enqueued IS NOT NULL
            OR NOT EXISTS (SELECT 1 FROM cut k WHERE k.session = v.session))
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
