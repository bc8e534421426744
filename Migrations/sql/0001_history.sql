-- One row for each run of a process that recorded.
CREATE TABLE session(
  id INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE
) STRICT;
