-- Who asked and with which object, apart from what is rare.
--
-- A request by a state's own code has an origin, and one with an object that was used before has an
-- instance: both are common. In a row of thirteen columns, nearly all of them null, they took 22
-- bytes; in one of three they take 11.

DROP VIEW history;

CREATE TABLE asking (
  seq      INTEGER PRIMARY KEY,
  instance INTEGER,  -- the first visit of the same object, if that is another
  origin   INTEGER   -- the visit whose code asked
) STRICT;

INSERT INTO asking(seq, instance, origin)
SELECT seq, instance, origin FROM detail WHERE coalesce(instance, origin) IS NOT NULL;

-- Made anew rather than altered, so that its text in the schema is the one that stands here.
ALTER TABLE detail RENAME TO detail_before;

CREATE TABLE detail (
  seq       INTEGER PRIMARY KEY,
  priority  INTEGER,
  equality  INTEGER,  -- if it does not follow from the instance
  answers   INTEGER,  -- of the guards
  asked     INTEGER,  -- name of a contextual destination
  objection INTEGER,
  refusal   INTEGER,  -- with a rejection: 1 busy, 2 no route, 3 guarded, 4 context, 5 objection
  refused_from  INTEGER,  -- name
  refused_needs INTEGER,  -- name of the guard or of the type
  note      TEXT,     -- of a mark
  payload   BLOB
) STRICT;

-- One that says nothing at all is kept: the checksum chain knows that it is there.
INSERT INTO detail
SELECT seq, priority, equality, answers, asked, objection, refusal, refused_from, refused_needs,
  note, payload
FROM detail_before
WHERE coalesce(instance, origin) IS NULL
  OR coalesce(priority, equality, answers, asked, objection, refusal, refused_from, refused_needs,
    note, payload) IS NOT NULL;

DROP TABLE detail_before;

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
  (SELECT a.origin FROM asking a WHERE a.seq = e.seq) AS origin,
  e.what >> 8 & 63 AS thread,
  (SELECT d.payload FROM detail d WHERE d.seq = e.seq) AS payload
FROM session s JOIN event e ON e.seq BETWEEN s.first_seq AND s.last_seq;
