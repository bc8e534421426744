-- The sessions that nobody has sealed as this schema does, because nobody has written to them since:
-- their seal is NULL, or is not over how many numbers were drawn and how many payloads left out.
-- Of every other session a seal that is missing is damage.

CREATE TABLE unsealed (
  session INTEGER PRIMARY KEY REFERENCES session(id) ON DELETE CASCADE
) STRICT;

INSERT INTO unsealed SELECT id FROM session;
