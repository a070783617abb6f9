-- A row is the time for a client in the range. Each second counts once. A client has one row for each task on each day.
-- It also has a row without `task` for each day, and a row without `date` for each task. The row for the whole client
-- lacks both. The rows of a client are in order of date. Within a date, the row with the most time comes first.
-- `away_seconds` is the part of `seconds` away from the computer, for example in a meeting
-- (docs/spec/time.md#client-time).
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
