-- A seal is over controllers, too: what one is and where it stood is guarded by the checksum of its
-- `attached`, which may be lost.
--
-- level: what the seal of a session is over that nobody has sealed since. 0 as schema 11 has it in this
-- table; 1 if it is over counts, and not over controllers.

ALTER TABLE unsealed ADD COLUMN level INTEGER NOT NULL DEFAULT 0;

INSERT OR IGNORE INTO unsealed (session, level) SELECT id, 1 FROM session;
