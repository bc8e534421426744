-- The questions to a fleet, for Spark. 'lines' are those of the partitions, 'verdicts' those that
-- 'staty filter' gave of them.

CREATE OR REPLACE TEMPORARY VIEW sessions AS
SELECT uuid AS session, app_version, os,
  transform(split(app_version, '\\.'), part -> int(part)) AS release
FROM lines WHERE type = 'session';

CREATE OR REPLACE TEMPORARY VIEW visits AS
SELECT uuid AS session, app_version, os, controller, visit, any_value(state) AS state,
  min(t_ns) FILTER (WHERE kind = 'entering') / 1e6 AS entering_ms,
  min(t_ns) FILTER (WHERE kind = 'entered') / 1e6 AS entered_ms,
  min(t_ns) FILTER (WHERE kind = 'exiting') / 1e6 AS exiting_ms,
  min(t_ns) FILTER (WHERE kind = 'exited') / 1e6 AS exited_ms
FROM lines WHERE type = 'event' AND visit IS NOT NULL
GROUP BY uuid, app_version, os, controller, visit;

CREATE OR REPLACE TEMPORARY VIEW moves AS
SELECT session, app_version, os, controller, lag(state) OVER turns AS from_state,
  state AS to_state, entered_ms - lag(exiting_ms) OVER turns AS total_ms
FROM visits WHERE entered_ms IS NOT NULL
WINDOW turns AS (PARTITION BY session, controller ORDER BY entering_ms);

CREATE OR REPLACE TEMPORARY VIEW violations AS
SELECT session, app_version, os, finding.code, finding.severity, finding.controller, finding.visit,
  finding.state, finding.seq, finding.detail
FROM verdicts LATERAL VIEW explode(findings) AS finding;

CREATE OR REPLACE TEMPORARY VIEW times AS
SELECT controller, from_state, to_state, app_version, median(total_ms) AS ms, count(*) AS n
FROM moves WHERE total_ms IS NOT NULL GROUP BY controller, from_state, to_state, app_version
HAVING count(*) >= 30;

-- question: planted
SELECT session, code, controller, seq FROM violations

-- question: introduced
-- What ten sessions or more have, and no version before a certain one, and each from that on.
WITH seen AS (
  SELECT code, controller, release, any_value(s.app_version) AS app_version,
    count(DISTINCT session) AS n
  FROM violations v JOIN sessions s USING (session) GROUP BY code, controller, release),
first AS (
  SELECT code, controller, min(release) AS release, min_by(app_version, release) AS app_version,
    count(*) AS releases
  FROM seen GROUP BY code, controller HAVING sum(n) >= 10),
all_releases AS (SELECT DISTINCT release FROM sessions)
SELECT code, controller, app_version
FROM first JOIN all_releases a ON a.release >= first.release
WHERE first.release > (SELECT min(release) FROM all_releases)
GROUP BY code, controller, app_version, releases HAVING count(*) = releases

-- question: slower
-- What takes half as long again as in the other versions, at thirty moves or more.
SELECT t.controller, t.from_state, t.to_state, t.app_version
FROM times t JOIN times o
  ON o.controller = t.controller AND o.from_state = t.from_state AND o.to_state = t.to_state
    AND o.app_version <> t.app_version
GROUP BY t.controller, t.from_state, t.to_state, t.app_version, t.ms
HAVING t.ms >= 1.5 * median(o.ms)

-- question: stuck
-- What came in, was told to leave and is still there, five times or more and on one system alone.
SELECT controller, state, any_value(os) AS os FROM visits
WHERE entered_ms <= exiting_ms AND exited_ms IS NULL
GROUP BY controller, state HAVING count(*) >= 5 AND count(DISTINCT os) = 1
