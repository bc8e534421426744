-- The questions to a fleet, for Spark. 'lines' are those of the partitions, 'verdicts' those that
-- 'staty filter' gave of them.

-- A version sorts by its parts: numbers as numbers and before text, and what is longer after what
-- it begins with. 2.10 comes after 2.9, and no version ends a question with an error.
CREATE OR REPLACE TEMPORARY VIEW sessions AS
SELECT uuid AS session, app, app_version, os,
  array_join(transform(
    filter(split(app_version, '[.-]'), part -> part <> ''),
    part -> CASE WHEN part RLIKE '^[0-9]{1,18}$' THEN lpad(part, 18, '0') ELSE '~' || part END),
    ' ') AS release
FROM lines WHERE type = 'session';

CREATE OR REPLACE TEMPORARY VIEW visits AS
SELECT uuid AS session, app, app_version, os, controller, visit, any_value(state) AS state,
  min(t_ns) FILTER (WHERE kind = 'entering') / 1e6 AS entering_ms,
  min(t_ns) FILTER (WHERE kind = 'entered') / 1e6 AS entered_ms,
  min(t_ns) FILTER (WHERE kind = 'exiting') / 1e6 AS exiting_ms,
  min(t_ns) FILTER (WHERE kind = 'exited') / 1e6 AS exited_ms
FROM lines WHERE type = 'event' AND visit IS NOT NULL
GROUP BY uuid, app, app_version, os, controller, visit;

CREATE OR REPLACE TEMPORARY VIEW moves AS
SELECT session, app, app_version, os, controller, lag(state) OVER turns AS from_state,
  state AS to_state, entered_ms - lag(exiting_ms) OVER turns AS total_ms
FROM visits WHERE entered_ms IS NOT NULL
WINDOW turns AS (PARTITION BY session, controller ORDER BY entering_ms);

CREATE OR REPLACE TEMPORARY VIEW violations AS
SELECT session, app, app_version, os, finding.code, finding.severity, finding.controller,
  finding.visit, finding.state, finding.seq, finding.detail
FROM verdicts LATERAL VIEW explode(findings) AS finding;

CREATE OR REPLACE TEMPORARY VIEW times AS
SELECT app, controller, from_state, to_state, app_version, median(total_ms) AS ms, count(*) AS n
FROM moves WHERE total_ms IS NOT NULL GROUP BY app, controller, from_state, to_state, app_version
HAVING count(*) >= 30;

-- question: violations
SELECT app, session, code, controller, seq FROM violations

-- question: introduced
-- What ten sessions or more of an app have, and no version before a certain one, and each from that
-- on.
WITH seen AS (
  SELECT s.app, code, controller, release, any_value(s.app_version) AS app_version,
    count(DISTINCT session) AS n
  FROM violations v JOIN sessions s USING (session) GROUP BY s.app, code, controller, release),
first AS (
  SELECT app, code, controller, min(release) AS since, min_by(app_version, release) AS app_version,
    count(*) AS releases
  FROM seen GROUP BY app, code, controller HAVING sum(n) >= 10),
every AS (
  SELECT app, release, min(release) OVER (PARTITION BY app) AS oldest
  FROM (SELECT DISTINCT app, release FROM sessions))
SELECT app, code, controller, app_version FROM first JOIN every USING (app)
WHERE since > oldest AND release >= since
GROUP BY app, code, controller, app_version, releases HAVING count(*) = releases

-- question: slower
-- What takes half as long again as in the app's other versions, at thirty moves or more.
SELECT t.app, t.controller, t.from_state, t.to_state, t.app_version
FROM times t JOIN times o
  ON o.app = t.app AND o.controller = t.controller AND o.from_state = t.from_state
    AND o.to_state = t.to_state AND o.app_version <> t.app_version
GROUP BY t.app, t.controller, t.from_state, t.to_state, t.app_version, t.ms
HAVING t.ms >= 1.5 * median(o.ms)

-- question: stuck
-- What came in, was told to leave and is still there, five times or more in an app and on
-- one system alone.
SELECT app, controller, state, any_value(os) AS os FROM visits
WHERE entered_ms <= exiting_ms AND exited_ms IS NULL
GROUP BY app, controller, state HAVING count(*) >= 5 AND count(DISTINCT os) = 1
