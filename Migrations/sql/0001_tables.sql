-- The history of one or more sessions. The tables are private; read the views.
--
-- An event costs about 23 bytes: `what` combines four small numbers, a reference to another event is the
-- distance to it, and columns that few events need are in `asking` and `detail`.

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
  wall_us     INTEGER NOT NULL,            -- wall clock at the beginning, since 1970
  first_seq   INTEGER NOT NULL UNIQUE,
  last_seq    INTEGER,                     -- of the last stored event; NULL before the first event
  last_us     INTEGER NOT NULL DEFAULT 0,  -- time of the last stored event
  ended       TEXT NOT NULL DEFAULT 'open'
    CHECK (ended IN ('open', 'clean', 'suspended', 'killed', 'continued')),
  observed    INTEGER NOT NULL DEFAULT 0,  -- events that got a number
  stored      INTEGER NOT NULL DEFAULT 0,  -- events that have a row
  payloads_left_out INTEGER NOT NULL DEFAULT 0,  -- payloads for which there was no room
  -- Checksum of the rest of the session: its ending, counts, controllers, losses and anchors. NULL is damage.
  seal        INTEGER,
  rules       INTEGER,  -- edition of the ordering rules that checked the session; NULL if unchecked
  judged_us   INTEGER,  -- time up to which they checked it
  run         TEXT,     -- uuid of the process's first session, if this one continues it
  followed    INTEGER NOT NULL DEFAULT 0,  -- the rows in `visit` include the events before this number
  judgement   INTEGER NOT NULL DEFAULT 0   -- checksum of `rules` and of the session's rows in `finding`
) STRICT;

-- Pairs of the session's clock and the wall clock: one at the beginning, one each time the wall clock was
-- set, and one when the session was suspended, shared or closed. A session lasts until its last event or its
-- last anchor.
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
  discipline INTEGER NOT NULL,  -- 1 in order, 2 by urgency, 3 at once, 4 stack, 5 moves
  fidelity INTEGER NOT NULL,  -- 1 full, 2 ordered, 3 three-kind
  snapshot TEXT NOT NULL,     -- the state when recording began, as JSON
  is_routed INTEGER NOT NULL DEFAULT 0  -- whether `route` has its transitions
) STRICT;
CREATE INDEX controller_session ON controller(session);
-- To find a controller's earlier sessions by its name.
CREATE INDEX controller_name ON controller(name, session);

-- The declared transitions of a controller. `from` is a name, 0 for the beginning, or -1 for any state.
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
  -- The place of the event, NULL at the root: distance << 2 | part, where the distance is this seq minus the
  -- seq of the place's event, and the part is 0 handled, 1 observed, 2 performed or 3 called.
  inside INTEGER,
  ref   INTEGER,           -- of `enqueued` the site; otherwise this seq minus the cause's, if it is not the place's
  seq   INTEGER PRIMARY KEY  -- last, because this makes inserts faster
) STRICT;

-- The object and the origin of a request. Not in `detail`, because a row of three columns takes half the space
-- of a wide row that is nearly all NULL.
CREATE TABLE asking (
  seq      INTEGER PRIMARY KEY,
  instance INTEGER,  -- the first visit of the same object, if that is another
  origin   INTEGER   -- the visit that made the request
) STRICT;

-- Columns that few events need.
CREATE TABLE detail (
  seq       INTEGER PRIMARY KEY,
  priority  INTEGER,
  equality  INTEGER,  -- equal requests have equal numbers; NULL if the instance decides
  answers   INTEGER,  -- the guards' answers, as bits
  asked     INTEGER,  -- name of a requested contextual destination
  objection INTEGER,
  refusal   INTEGER,  -- of a rejection: 1 busy, 2 no route, 3 guarded, 4 context, 5 objection
  refused_from  INTEGER,  -- name
  refused_needs INTEGER,  -- name of the guard or of the type
  step      INTEGER,  -- of `resumed`: the number of the controller's step, from 1
  age       INTEGER,  -- of `stood`: microseconds since the visit's phase began, if known
  note      TEXT,     -- of a mark
  payload   BLOB
) STRICT;

-- The times and outcome of each visit, updated with each commit of events. `doctor` computes them again from
-- the events.
--
-- `seq` is the visit's first event. Times are microseconds since that event.
CREATE TABLE visit (
  seq       INTEGER PRIMARY KEY,
  what      INTEGER NOT NULL,  -- outcome | controller << 5
  state     INTEGER,           -- name
  "from"    INTEGER,  -- name of the state that was shown before: 0 none, NULL unknown
  asked     INTEGER,  -- `enqueued`
  turn      INTEGER,  -- `exiting` of the state before
  free      INTEGER,  -- `exited` of the state before
  told      INTEGER,  -- `entering`
  entered   INTEGER,
  dismissed INTEGER,  -- `exiting`
  gone      INTEGER   -- `exited` or `discarded`; for an open visit, the end of its controller's recording
) STRICT;

-- Events that got a number and are not in the file, and the reason.
CREATE TABLE loss (
  first_seq INTEGER PRIMARY KEY,
  last_seq  INTEGER NOT NULL,
  count     INTEGER NOT NULL,
  reason    TEXT NOT NULL
) STRICT;

-- The checksum chain: one row for each run of stored events. Each sum includes the one before.
CREATE TABLE chain (
  first_seq INTEGER PRIMARY KEY,
  last_seq  INTEGER NOT NULL,
  count     INTEGER NOT NULL,
  sum       INTEGER NOT NULL
) STRICT;

-- The meaning of the ring's numbers in this file, for open sessions.
--
-- The ring of a killed process has events that refer to names, call sites and controllers by the ring's own
-- numbers, but may not have their definitions any more. A session's rows are deleted when it ends.
CREATE TABLE alias (
  session INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
  kind    INTEGER NOT NULL,  -- 1 name, 2 site, 3 controller
  number  INTEGER NOT NULL,  -- in the ring
  id      INTEGER NOT NULL,  -- in this file
  PRIMARY KEY (session, kind, number)
) STRICT, WITHOUT ROWID;

-- The beginning, in the ring, of an open session that continues another. The row is deleted when the session
-- ends.
CREATE TABLE continuation (
  session INTEGER PRIMARY KEY REFERENCES session(id) ON DELETE CASCADE,
  drawn   INTEGER NOT NULL,  -- last number in the ring that belongs to an earlier session
  shift   INTEGER NOT NULL,  -- seq of a later event minus its number in the ring
  t_us    INTEGER NOT NULL   -- time since the process began to record
) STRICT, WITHOUT ROWID;

-- Events that break an ordering rule. The rules are code; their findings are stored for queries in SQL.
CREATE TABLE finding (
  id         INTEGER PRIMARY KEY,
  session    INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
  seq        INTEGER NOT NULL,  -- of the event that breaks the rule
  code       TEXT NOT NULL,
  severity   TEXT NOT NULL,
  controller INTEGER NOT NULL,
  visit      INTEGER,
  state      INTEGER,           -- name
  detail     TEXT NOT NULL,
  is_final   INTEGER NOT NULL   -- 0 if later events may remove the finding
) STRICT;
CREATE INDEX finding_session ON finding(session, seq);
