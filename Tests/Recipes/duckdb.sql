-- The views of a history over the partitions of a fleet, and the questions to a fleet, for DuckDB.
-- In a folder with 'partitions' in it, as 'staty export --partitioned partitions' makes it:
--   duckdb fleet.duckdb < duckdb.sql

COPY (
  SELECT * FROM read_ndjson(
    'partitions/*/*/*.ndjson', hive_partitioning = false, columns = {
      type: 'VARCHAR', uuid: 'VARCHAR', app: 'VARCHAR', app_version: 'VARCHAR', os: 'VARCHAR',
      started_at: 'TIMESTAMP', ended: 'VARCHAR', seq: 'BIGINT', t_ns: 'BIGINT', "at": 'TIMESTAMP',
      kind: 'VARCHAR', controller: 'VARCHAR', policy: 'VARCHAR', visit: 'BIGINT',
      state: 'VARCHAR', reason: 'VARCHAR', cause: 'BIGINT', code: 'VARCHAR', severity: 'VARCHAR',
      detail: 'VARCHAR'})
  WHERE type IS NOT NULL
) TO 'fleet.parquet' (FORMAT parquet, COMPRESSION zstd);

CREATE OR REPLACE VIEW lines AS SELECT * FROM 'fleet.parquet';

-- A version sorts by its parts: numbers as numbers and before text, and what is longer after what
-- it begins with. 2.10 comes after 2.9, and no version ends a question with an error.
CREATE OR REPLACE VIEW sessions AS
SELECT uuid AS session, app, app_version, os, started_at,
  array_to_string([
    CASE WHEN regexp_full_match(part, '[0-9]{1,18}') THEN lpad(part, 18, '0') ELSE '~' || part END
    for part in string_split_regex(app_version, '[.-]') if part <> ''], ' ') AS release
FROM lines WHERE type = 'session';

CREATE OR REPLACE VIEW history AS
SELECT uuid AS session, app, app_version, os, seq, t_ns / 1e6 AS t_ms, "at", kind, controller,
  policy, visit, state, reason, cause
FROM lines WHERE type = 'event';

CREATE OR REPLACE VIEW visits AS
SELECT session, app, app_version, os, controller, visit, any_value(state) AS state,
  min(t_ms) FILTER (kind = 'enqueued') AS enqueued_ms,
  min(t_ms) FILTER (kind = 'entering') AS entering_ms,
  min(t_ms) FILTER (kind = 'entered') AS entered_ms,
  min(t_ms) FILTER (kind = 'exiting') AS exiting_ms,
  min(t_ms) FILTER (kind = 'exited') AS exited_ms
FROM history WHERE visit IS NOT NULL GROUP BY ALL;

CREATE OR REPLACE VIEW moves AS
SELECT session, app, app_version, os, controller, lag(state) OVER turns AS from_state,
  state AS to_state, entered_ms - lag(exiting_ms) OVER turns AS total_ms
FROM visits WHERE entered_ms IS NOT NULL
WINDOW turns AS (PARTITION BY session, controller ORDER BY entering_ms);

CREATE OR REPLACE VIEW violations AS
SELECT uuid AS session, app, app_version, os, code, severity, controller, visit, state, seq, detail
FROM lines WHERE type = 'finding';

-- question: violations
SELECT app, session, code, controller, seq FROM violations;

-- question: introduced
-- What ten sessions or more of an app have, and no version before a certain one, and each from that
-- on.
WITH seen AS (
  SELECT s.app, code, controller, release, any_value(s.app_version) AS app_version,
    count(DISTINCT session) AS n
  FROM violations v JOIN sessions s USING (session) GROUP BY s.app, code, controller, release),
first AS (
  SELECT app, code, controller, min(release) AS release,
    arg_min(app_version, release) AS app_version, count(*) AS releases
  FROM seen GROUP BY app, code, controller HAVING sum(n) >= 10)
SELECT app, code, controller, app_version FROM first
WHERE release > (SELECT min(s.release) FROM sessions s WHERE s.app = first.app)
  AND releases = (
    SELECT count(DISTINCT s.release) FROM sessions s
    WHERE s.app = first.app AND s.release >= first.release);

-- question: slower
-- What takes half as long again as in the app's other versions, at thirty moves or more.
WITH times AS (
  SELECT app, controller, from_state, to_state, app_version, median(total_ms) AS ms, count(*) AS n
  FROM moves WHERE total_ms IS NOT NULL GROUP BY ALL)
SELECT app, controller, from_state, to_state, app_version FROM times t
WHERE n >= 30 AND ms >= 1.5 * (
  SELECT median(o.ms) FROM times o
  WHERE o.app = t.app AND o.controller = t.controller AND o.from_state = t.from_state
    AND o.to_state = t.to_state AND o.app_version <> t.app_version AND o.n >= 30);

-- question: stuck
-- What came in, was told to leave and is still there, five times or more in an app and on
-- one system alone.
SELECT app, controller, state, any_value(os) AS os FROM visits
WHERE entered_ms <= exiting_ms AND exited_ms IS NULL
GROUP BY app, controller, state HAVING count(*) >= 5 AND count(DISTINCT os) = 1;
