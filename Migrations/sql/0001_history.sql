-- The history of one or more sessions. Tables are private; the views are what others may read.
--
-- The common row is kept small: an event costs about 23 bytes. `what` holds four small numbers
-- (kind, reason, thread, controller), a cause is stored as how far back it is, and everything
-- that few events have stands in `detail`.

CREATE TABLE name (
  id   INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE site (
  id   INTEGER PRIMARY KEY,
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  UNIQUE (file, line)
) STRICT;

CREATE TABLE session (
  id          INTEGER PRIMARY KEY,
  uuid        TEXT NOT NULL UNIQUE,
  app         TEXT NOT NULL,
  app_version TEXT NOT NULL,
  os          TEXT NOT NULL,
  pid         INTEGER NOT NULL,
  wall_us     INTEGER NOT NULL,            -- wall clock at its beginning, since 1970
  first_seq   INTEGER NOT NULL UNIQUE,
  last_seq    INTEGER,                     -- highest stored; NULL before the first event
  last_us     INTEGER NOT NULL DEFAULT 0,  -- time of the last stored event
  ended       TEXT NOT NULL DEFAULT 'open' CHECK (ended IN ('open', 'clean', 'crash')),
  observed    INTEGER NOT NULL DEFAULT 0,  -- numbers drawn, as far as is known
  stored      INTEGER NOT NULL DEFAULT 0   -- rows written
) STRICT;

-- The wall clock beside the session's own: one row at its beginning and one whenever they part.
CREATE TABLE anchor (
  session INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
  t_us    INTEGER NOT NULL,
  wall_us INTEGER NOT NULL,
  PRIMARY KEY (session, t_us)
) STRICT, WITHOUT ROWID;

CREATE TABLE controller (
  id       INTEGER PRIMARY KEY,
  session  INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
  name     INTEGER NOT NULL REFERENCES name(id),
  policy   INTEGER NOT NULL REFERENCES name(id),
  fidelity INTEGER NOT NULL,               -- 1 full, 2 ordered, 3 three-kind
  snapshot TEXT NOT NULL                   -- where it stood when recording began, as JSON
) STRICT;
CREATE INDEX controller_session ON controller(session);

CREATE TABLE event (
  seq   INTEGER PRIMARY KEY,
  t     INTEGER NOT NULL,  -- microseconds since the session began
  what  INTEGER NOT NULL,  -- kind | reason << 4 | thread << 8 | controller << 14
  visit INTEGER,
  state INTEGER,           -- name
  back  INTEGER,           -- seq less the seq of the cause
  site  INTEGER            -- with `enqueued`: where it was asked
) STRICT;

-- What few events have, one row for each such event.
CREATE TABLE detail (
  seq       INTEGER PRIMARY KEY,
  instance  INTEGER,  -- the first visit of the same object, if that is another
  origin    INTEGER,  -- the visit whose code asked
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

-- Numbers that were drawn and whose events are not in the file, and why.
CREATE TABLE loss (
  first_seq INTEGER PRIMARY KEY,
  last_seq  INTEGER NOT NULL,
  count     INTEGER NOT NULL,
  reason    TEXT NOT NULL
) STRICT;

-- The checksum chain: one row for a run of stored events, each taking up the one before.
CREATE TABLE chain (
  first_seq INTEGER PRIMARY KEY,
  last_seq  INTEGER NOT NULL,
  count     INTEGER NOT NULL,
  sum       INTEGER NOT NULL
) STRICT;
