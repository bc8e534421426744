-- The lines of a fleet in ClickHouse, and the questions to a fleet. In a folder with 'partitions'
-- in it:
--   clickhouse local --multiquery < clickhouse.sql

CREATE DATABASE IF NOT EXISTS fleet ENGINE = Atomic;
CREATE TABLE fleet.line ENGINE = MergeTree ORDER BY (uuid, seq) AS
SELECT * FROM file(
  'partitions/*/*/*.ndjson', JSONEachRow,
  'type String, uuid String, app LowCardinality(String), app_version LowCardinality(String),
   os LowCardinality(String), seq Int64, t_ns Int64, kind LowCardinality(String),
   controller LowCardinality(String), visit Int64, state LowCardinality(String),
   code LowCardinality(String), severity LowCardinality(String), detail String')
WHERE type != ''
SETTINGS input_format_skip_unknown_fields = 1;

-- A version sorts by its parts: numbers as numbers and before text, and what is longer after what
-- it begins with. 2.10 comes after 2.9, and no version ends a question with an error.
CREATE VIEW fleet.sessions AS
SELECT uuid AS session, app, app_version, os,
  arrayStringConcat(arrayMap(
    part -> if(match(part, '^[0-9]{1,18}$'), leftPad(part, 18, '0'), concat('~', part)),
    arrayFilter(part -> part != '', splitByRegexp('[.-]', toString(app_version)))), ' ') AS release
FROM fleet.line WHERE type = 'session';

CREATE VIEW fleet.visits AS
SELECT uuid AS session, app, app_version, os, controller, visit, any(state) AS name,
  minOrNullIf(t_ns, kind = 'entering') / 1e6 AS entering_ms,
  minOrNullIf(t_ns, kind = 'entered') / 1e6 AS entered_ms,
  minOrNullIf(t_ns, kind = 'exiting') / 1e6 AS exiting_ms,
  minOrNullIf(t_ns, kind = 'exited') / 1e6 AS exited_ms
FROM fleet.line WHERE type = 'event' AND visit > 0
GROUP BY session, app, app_version, os, controller, visit;

CREATE VIEW fleet.moves AS
SELECT session, app, app_version, controller, lagInFrame(toNullable(toString(name))) OVER turns
    AS from_state, name AS to_state, entered_ms - lagInFrame(exiting_ms) OVER turns AS total_ms
FROM fleet.visits WHERE entered_ms IS NOT NULL
WINDOW turns AS (
  PARTITION BY session, controller ORDER BY entering_ms
  ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING);

CREATE VIEW fleet.violations AS
SELECT uuid AS session, app, app_version, code, controller, seq FROM fleet.line
WHERE type = 'finding';

CREATE VIEW fleet.times AS
SELECT app, controller, from_state, to_state, app_version,
  quantileExactInclusive(0.5)(total_ms) AS ms
FROM fleet.moves WHERE total_ms IS NOT NULL AND from_state IS NOT NULL
GROUP BY app, controller, from_state, to_state, app_version HAVING count() >= 30;

-- question: violations
SELECT app, session, code, controller, seq FROM fleet.violations;

-- question: introduced
-- What ten sessions or more of an app have, and no version before a certain one, and each from that
-- on.
WITH seen AS (
  SELECT s.app AS app, v.code AS code, v.controller AS controller, s.release AS release,
    any(s.app_version) AS version, uniqExact(v.session) AS n
  FROM fleet.violations AS v JOIN fleet.sessions AS s ON s.session = v.session
  GROUP BY app, code, controller, release),
first AS (
  SELECT app, code, controller, min(release) AS since, argMin(version, release) AS since_version,
    count() AS releases
  FROM seen GROUP BY app, code, controller HAVING sum(n) >= 10),
every AS (
  SELECT app, release, min(release) OVER (PARTITION BY app) AS oldest
  FROM (SELECT DISTINCT app, release FROM fleet.sessions))
SELECT f.app, f.code, f.controller, f.since_version FROM first AS f JOIN every AS e ON e.app = f.app
WHERE f.since > e.oldest AND e.release >= f.since
GROUP BY f.app, f.code, f.controller, f.since_version, f.releases HAVING count() = f.releases;

-- question: slower
-- What takes half as long again as in the app's other versions, at thirty moves or more.
SELECT t.app, t.controller, t.from_state, t.to_state, t.app_version
FROM fleet.times AS t JOIN fleet.times AS o
  ON o.app = t.app AND o.controller = t.controller AND o.from_state = t.from_state
    AND o.to_state = t.to_state
WHERE o.app_version != t.app_version
GROUP BY t.app, t.controller, t.from_state, t.to_state, t.app_version, t.ms
HAVING t.ms >= 1.5 * quantileExactInclusive(0.5)(o.ms);

-- question: stuck
-- What came in, was told to leave and is still there, five times or more in an app and on
-- one system alone.
SELECT app, controller, name, any(os) FROM fleet.visits
WHERE entered_ms <= exiting_ms AND exited_ms IS NULL
GROUP BY app, controller, name HAVING count() >= 5 AND uniqExact(os) = 1;
