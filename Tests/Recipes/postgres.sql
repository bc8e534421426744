-- The lines of a fleet in PostgreSQL, and the questions to a fleet. In a folder with 'partitions'
-- in it:
--   psql -d fleet -f postgres.sql

DROP TABLE IF EXISTS line CASCADE;
CREATE TABLE line (body jsonb NOT NULL);
-- Each line of text is one value: what stands for a quote and a delimiter is in no JSON.
\copy line FROM PROGRAM 'find partitions/ -name ''*.ndjson'' -exec cat {} +' WITH (FORMAT csv, QUOTE E'\x01', DELIMITER E'\x02')
CREATE INDEX ON line ((body ->> 'uuid'));

-- A version sorts by its parts: numbers as numbers and before text, and what is longer after what
-- it begins with. 2.10 comes after 2.9, and no version ends a question with an error.
CREATE VIEW sessions AS
SELECT body ->> 'uuid' AS session, body ->> 'app' AS app, body ->> 'app_version' AS app_version,
  body ->> 'os' AS os, coalesce((
    SELECT string_agg(
      CASE WHEN part ~ '^[0-9]{1,18}$' THEN lpad(part, 18, '0') ELSE '~' || part END,
      ' ' ORDER BY n)
    FROM regexp_split_to_table(body ->> 'app_version', '[.-]') WITH ORDINALITY AS parts (part, n)
    WHERE part <> ''), '') COLLATE "C" AS release
FROM line WHERE body ->> 'type' = 'session';

CREATE VIEW history AS
SELECT body ->> 'uuid' AS session, body ->> 'app' AS app, body ->> 'app_version' AS app_version,
  body ->> 'os' AS os, (body ->> 'seq')::bigint AS seq, (body ->> 't_ns')::bigint / 1e6 AS t_ms,
  body ->> 'kind' AS kind, body ->> 'controller' AS controller,
  (body ->> 'visit')::bigint AS visit, body ->> 'state' AS state
FROM line WHERE body ->> 'type' = 'event';

CREATE VIEW visits AS
SELECT session, app, app_version, os, controller, visit, min(state) AS state,
  min(t_ms) FILTER (WHERE kind = 'entering') AS entering_ms,
  min(t_ms) FILTER (WHERE kind = 'entered') AS entered_ms,
  min(t_ms) FILTER (WHERE kind = 'exiting') AS exiting_ms,
  min(t_ms) FILTER (WHERE kind = 'exited') AS exited_ms
FROM history WHERE visit IS NOT NULL
GROUP BY session, app, app_version, os, controller, visit;

CREATE VIEW moves AS
SELECT session, app, app_version, os, controller, lag(state) OVER turns AS from_state,
  state AS to_state, entered_ms - lag(exiting_ms) OVER turns AS total_ms
FROM visits WHERE entered_ms IS NOT NULL
WINDOW turns AS (PARTITION BY session, controller ORDER BY entering_ms);

CREATE VIEW violations AS
SELECT body ->> 'uuid' AS session, body ->> 'app' AS app, body ->> 'app_version' AS app_version,
  body ->> 'code' AS code, body ->> 'controller' AS controller, (body ->> 'seq')::bigint AS seq
FROM line WHERE body ->> 'type' = 'finding';

-- question: violations
SELECT app, session, code, controller, seq FROM violations;

-- question: introduced
-- What ten sessions or more of an app have, and no version before a certain one, and each from that
-- on.
WITH seen AS (
  SELECT s.app, code, controller, release, min(s.app_version) AS app_version,
    count(DISTINCT session) AS n
  FROM violations v JOIN sessions s USING (session) GROUP BY s.app, code, controller, release),
first AS (
  SELECT app, code, controller, min(release) AS release,
    (array_agg(app_version ORDER BY release))[1] AS app_version, count(*) AS releases
  FROM seen GROUP BY app, code, controller HAVING sum(n) >= 10)
SELECT app, code, controller, app_version FROM first
WHERE release > (SELECT min(s.release) FROM sessions s WHERE s.app = first.app)
  AND releases = (
    SELECT count(DISTINCT s.release) FROM sessions s
    WHERE s.app = first.app AND s.release >= first.release);

-- question: slower
-- What takes half as long again as in the app's other versions, at thirty moves or more.
WITH times AS (
  SELECT app, controller, from_state, to_state, app_version,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY total_ms) AS ms
  FROM moves WHERE total_ms IS NOT NULL
  GROUP BY app, controller, from_state, to_state, app_version
  HAVING count(*) >= 30)
SELECT app, controller, from_state, to_state, app_version FROM times t
WHERE ms >= 1.5 * (
  SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY o.ms) FROM times o
  WHERE (o.app, o.controller, o.from_state, o.to_state)
      = (t.app, t.controller, t.from_state, t.to_state)
    AND o.app_version <> t.app_version);

-- question: stuck
-- What came in, was told to leave and is still there, five times or more in an app and on
-- one system alone.
SELECT app, controller, state, min(os) FROM visits
WHERE entered_ms <= exiting_ms AND exited_ms IS NULL
GROUP BY app, controller, state HAVING count(*) >= 5 AND count(DISTINCT os) = 1;
