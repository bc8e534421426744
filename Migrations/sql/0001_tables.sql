-- The history of one or more sessions. Tables are private; the views are what others may read.
--
-- The common row is kept small: an event costs about 23 bytes. `what` holds four small numbers,
-- other events are stored as how far back they are, and what only some events have stands in `asking`
-- and `detail`.

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
  ended       TEXT NOT NULL DEFAULT 'open'
    CHECK (ended IN ('open', 'clean', 'suspended', 'killed', 'continued')),
  observed    INTEGER NOT NULL DEFAULT 0,  -- numbers drawn, as far as is known
  stored      INTEGER NOT NULL DEFAULT 0,  -- rows written
  payloads_left_out INTEGER NOT NULL DEFAULT 0,  -- for want of room, though their events were stored
  -- Checksum of what is said of the session beside its events: how it ended, its counts, its
  -- controllers, its losses and its anchors. A session without one is damaged.
  seal        INTEGER,
  rules       INTEGER,  -- edition of the ordering rules that it was held against; NULL if it was not
  judged_us   INTEGER,  -- the time up to which it was
  run         TEXT,     -- uuid of the session in which its process began to record, if that is another
  followed    INTEGER NOT NULL DEFAULT 0  -- visits follow from the events before this number
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
  discipline INTEGER NOT NULL,  -- 1 in order, 2 by urgency, 3 at once, 4 stack
  fidelity INTEGER NOT NULL,  -- 1 full, 2 ordered, 3 three-kind
  snapshot TEXT NOT NULL,     -- where it stood when recording began, as JSON
  is_routed INTEGER NOT NULL DEFAULT 0  -- whether it keeps to the moves in `route`
) STRICT;
CREATE INDEX controller_session ON controller(session);
-- The controllers of one name through all sessions.
CREATE INDEX controller_name ON controller(name, session);

-- The moves that a controller has declared: names, or 0 for the beginning and -1 for anywhere.
CREATE TABLE route (
  controller INTEGER NOT NULL,
  "to"       INTEGER NOT NULL,
  "from"     INTEGER NOT NULL,
  PRIMARY KEY (controller, "to", "from")
) STRICT, WITHOUT ROWID;

CREATE TABLE event (
  t     INTEGER NOT NULL,  -- microseconds since the session began
  what  INTEGER NOT NULL,  -- kind | reason << 5 | thread << 8 | controller << 14
  visit INTEGER,
  state INTEGER,           -- name
  -- Its place, NULL at the root: seq less the seq of the event << 2 | which call of that event it is, 0
  -- handled, 1 observed, 2 performed, 3 called.
  inside INTEGER,
  ref   INTEGER,           -- with `enqueued` the site, else seq less the seq of a cause of its own
  seq   INTEGER PRIMARY KEY  -- last, because rows are stored faster so
) STRICT;

-- Who asked and with which object, apart from what is rare: in a table of three columns such a row takes
-- half of what it takes in a wide one, nearly all of it null.
CREATE TABLE asking (
  seq      INTEGER PRIMARY KEY,
  instance INTEGER,  -- the first visit of the same object, if that is another
  origin   INTEGER   -- the visit whose code asked
) STRICT;

-- What few events have, one row for each such event.
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
  step      INTEGER,  -- with `resumed`: which of the controller's steps, from 1
  age       INTEGER,  -- with `stood`: microseconds since the visit is so far, if that is known
  note      TEXT,     -- of a mark
  payload   BLOB
) STRICT;

-- What became of each visit, stored with the events that it follows from; `doctor` computes it anew.
--
-- The number is that of the visit's first event, and times are microseconds since that event.
CREATE TABLE visit (
  seq       INTEGER PRIMARY KEY,
  what      INTEGER NOT NULL,  -- outcome | controller << 5
  state     INTEGER,           -- name
  "from"    INTEGER,  -- name of the state that was shown before: 0 none, NULL not known
  asked     INTEGER,  -- when it was requested
  turn      INTEGER,  -- when the one before was told to exit
  free      INTEGER,  -- when the one before had exited
  told      INTEGER,  -- when it was told to enter
  entered   INTEGER,
  dismissed INTEGER,  -- when it was told to exit
  gone      INTEGER   -- when it was over or, if it is not, when recording of its controller ended
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

-- Where in the ring of its process a session begins that continues another. Its row goes when the
-- session ends.
CREATE TABLE continuation (
  session INTEGER PRIMARY KEY REFERENCES session(id) ON DELETE CASCADE,
  drawn   INTEGER NOT NULL,  -- numbers of the ring that belong to the sessions before
  shift   INTEGER NOT NULL,  -- seq of a later event less its number in the ring
  t_us    INTEGER NOT NULL   -- time since the process began to record
) STRICT, WITHOUT ROWID;

-- Where ordering rules are broken. The rules exist once, in code; what they find in stored events is
-- kept here, so that it can be asked for in SQL.
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
