-- What the numbers in the ring of a session that is not over mean in this file.
--
-- A process that is killed leaves events in its ring that name states, places and controllers by
-- the ring's own numbers. Which names these were the ring has forgotten by then; this has not.
-- A session's rows go when it ends.

CREATE TABLE alias (
  session INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
  kind    INTEGER NOT NULL,  -- 1 name, 2 site, 3 controller
  number  INTEGER NOT NULL,  -- in the ring
  id      INTEGER NOT NULL,  -- in this file
  PRIMARY KEY (session, kind, number)
) STRICT, WITHOUT ROWID;
