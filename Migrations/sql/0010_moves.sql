-- What a snapshot says of visits is found for moves, too, without reading it once a visit: it has the row
-- before theirs. With a thousand requests waiting in one, `transitions` and `slowest` took seconds, and
-- with three thousand nine times that.

-- One row for each time a controller let a visit come, with the state that it had let come before.
--
-- Its time is cut where the one before was told to leave (`turn`), where that was out (`free`), and
-- where this one was told to come in: each no earlier than the one before, none after this one was in.
-- They are worked out beside the windows, as further out SQLite would do it anew for each use.
DROP VIEW _move;

CREATE VIEW _move AS
SELECT
  m.session AS session,
  m.controller AS controller,
  m.name AS name,
  m.visit AS visit,
  m.from_state AS from_state,
  m.state AS state,
  m.enqueued AS enqueued,
  m.turn AS turn,
  m.free AS free,
  coalesce(m.told, m.free) AS told,
  m.entered AS entered
FROM (
  SELECT
    session, controller, name, visit, state, enqueued, come, since,
    max(enqueued, entered) AS entered,
    max(enqueued, min(entering, coalesce(entered, entering))) AS told,
    lag(state) OVER w AS from_state,
    -- Who never left is in the way until this one comes; where nobody was before, nobody is.
    max(enqueued, min(coalesce(lag(leaves, 1, 0) OVER w, latest), latest)) AS turn,
    max(
      enqueued, min(coalesce(lag(leaves, 1, 0) OVER w, latest), latest),
      min(coalesce(lag(leaves_free, 1, 0) OVER w, latest), latest)) AS free,
    lag(CASE WHEN visit > 0 THEN come END) OVER w AS before,
    first_value(CASE visit WHEN 0 THEN come END) OVER w AS attached
  FROM (
    SELECT
      session, controller, name, visit, state, enqueued, entering, entered, come, high, since,
      max(enqueued, min(coalesce(entering, entered), coalesce(entered, entering))) AS latest,
      CASE WHEN visit = 0 OR stood = 20 THEN 0 WHEN stood = 19 THEN coalesce(exiting, 0)
        ELSE coalesce(exiting, gone) END AS leaves,
      CASE WHEN visit = 0 OR stood = 20 THEN 0 ELSE gone END AS leaves_free
    FROM (
      -- Whoever was asked for in the recording was not there before.
      SELECT
        session, controller, name, visit, state, enqueued, entering, entered, exiting, gone, high,
        since,
        CASE WHEN enqueued IS NULL AND lag(visit) OVER w IS visit THEN lag(stood) OVER w
          ELSE stood END AS stood,
        CASE WHEN enqueued IS NULL AND lag(visit) OVER w IS visit
          THEN coalesce(lag(come) OVER w, come) ELSE come END AS come
      FROM _visit
      WINDOW w AS (PARTITION BY session, controller ORDER BY visit, high)
    )
    WHERE come IS NOT NULL
  )
  WINDOW w AS (PARTITION BY session, controller ORDER BY visit > 0, come, high)
) m
WHERE m.visit > 0 AND m.come > 0
  -- Who came before is not known if that may be among what was lost, or was cut off.
  AND CASE
    WHEN m.before IS NOT NULL THEN m.before > 0 OR m.come >= coalesce(m.since, 0)
    ELSE m.come >= coalesce(m.since, 0) AND (SELECT c.snapshot GLOB '{*}' AND c.cut IS NOT 2
      FROM controller c WHERE c.id = m.controller)
  END
  AND NOT EXISTS (SELECT 1 FROM loss l WHERE l.first_seq BETWEEN
    CASE WHEN m.before > 0 THEN m.before ELSE coalesce(m.since, m.attached,
      (SELECT s.first_seq FROM session s WHERE s.id = m.session)) END
    AND m.come);
