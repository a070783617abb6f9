-- A row is the time for a client in the range, each second counted once. There is a row for each task and day, each
-- day (`task` is null), each task (`date` is null) and each client (both are null). The order is by date, then most
-- time first. `away_seconds` is the part away from the computer, which also counts: a meeting away from the computer
-- is time for the client (docs/spec/time.md#client-time).
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
