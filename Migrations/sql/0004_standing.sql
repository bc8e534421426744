-- Where the controllers of each session stand, so that an app can ask at its start where it was
-- when it ended, without reading the events.
--
-- The visits of a controller that are in and, while none is, the last one that was; beside them
-- those that are waited for and have a payload. Kept in the same transaction as the events. All of
-- it follows from them, so it is no part of the checksum chain and need not be believed.

CREATE TABLE standing (
  controller INTEGER NOT NULL,
  visit      INTEGER NOT NULL,
  state      INTEGER NOT NULL,  -- name
  asked      INTEGER,  -- seq of the `enqueued` that has the payload
  entered    INTEGER,  -- seq of the event since which it is in
  exited     INTEGER,  -- seq of the event since which it is out
  PRIMARY KEY (controller, visit)
) STRICT, WITHOUT ROWID;

-- The controllers of one name through all sessions.
CREATE INDEX controller_name ON controller(name, session);

-- Payloads that were left out for want of room, though their events were stored.
ALTER TABLE session ADD COLUMN payloads_left_out INTEGER NOT NULL DEFAULT 0;

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
  s.payloads_left_out AS payloads_left_out
FROM session s;
