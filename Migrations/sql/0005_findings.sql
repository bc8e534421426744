-- Where ordering rules are broken, as the rules found it, and how far each session was checked.
--
-- The rules exist once, in code. What they find in stored events is kept here, so that it can be
-- asked for in SQL.

CREATE TABLE finding (
  id         INTEGER PRIMARY KEY,
  session    INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
  seq        INTEGER NOT NULL,  -- of the guilty event
  code       TEXT NOT NULL,
  severity   TEXT NOT NULL,
  controller INTEGER NOT NULL,
  visit      INTEGER,
  state      INTEGER,           -- name
  detail     TEXT NOT NULL,
  is_final   INTEGER NOT NULL   -- 0 if what comes after may take it back
) STRICT;
CREATE INDEX finding_session ON finding(session, seq);

CREATE TABLE checked (
  session INTEGER PRIMARY KEY REFERENCES session(id) ON DELETE CASCADE,
  version INTEGER NOT NULL,  -- of the rules
  through INTEGER NOT NULL,  -- the last event that was looked at
  events  INTEGER NOT NULL,  -- how many were
  last_us INTEGER NOT NULL,  -- the time up to which the session was judged
  lost    INTEGER NOT NULL   -- how many events were known to be missing
) STRICT;

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
