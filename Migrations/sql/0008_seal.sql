-- A checksum of what is said of a session beside its events: how it ended, which of its numbers are
-- lost, and where the wall clock stood. The checksum chain is over the events alone.
--
-- NULL if nobody has written to the session since this schema: then there is nothing to compare.

ALTER TABLE session ADD COLUMN seal INTEGER;
