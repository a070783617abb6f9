-- A row is the time for a client in the range, each second counted once. A client has a row for each task on each day.
-- Rows for a whole day have no `task`, rows for a whole task have no `date`, and the row for the client has neither.
-- The rows of a client are in order of date, then most time first. `away_seconds` is the part away from the computer.
-- This part also counts: a meeting away from the computer is time for the client (docs/spec/time.md#client-time).
WITH named AS (
    SELECT lower(client) AS key, client, COALESCE(task, '') AS task, day AS date, is_away, start_utc, end_utc
    FROM client_time($start, $end)
    WHERE client IS NOT NULL
)
SELECT
    key,
    min(client) AS client,
    task,
    date,
    union_seconds(start_utc, end_utc) AS seconds,
    COALESCE(union_seconds(start_utc, end_utc) FILTER (WHERE is_away), 0) AS away_seconds
FROM named
GROUP BY GROUPING SETS ((key, task, date), (key, date), (key, task), (key))
ORDER BY key, date, seconds DESC, task
