-- A row is the time of the range for a client and task. If `task` is null, the row is for the whole client. If `key` is
-- also null, the row is for all clients. The row with the most time comes first (docs/spec/time.md#client-time).
-- `active_seconds` is active time of `$device`, or of all devices. `away_seconds` is tagged time during which no device
-- was active, such as a meeting away from the computer. Each second counts once. `name` is the client, or the full tag
-- of a task. `is_tagged` and `is_by_rule` show whether tags or rules are the source.
WITH named AS (
    SELECT
        lower(client) AS key,
        client,
        COALESCE(task, '') AS task,
        concat_ws(', ', client, task) AS name,
        named_by,
        is_away,
        start_utc,
        end_utc
    FROM device_client_time($device, $start, $end)
    WHERE client IS NOT NULL
),
totals AS (
    SELECT
        key,
        task,
        CASE WHEN task IS NULL THEN min(client) ELSE min(name) END AS name,
        COALESCE(union_seconds(start_utc, end_utc) FILTER (WHERE NOT is_away), 0) AS active_seconds,
        COALESCE(union_seconds(start_utc, end_utc) FILTER (WHERE is_away), 0) AS away_seconds,
        bool_or(named_by = 'tag') AS is_tagged,
        bool_or(named_by = 'rule') AS is_by_rule
    FROM named
    GROUP BY GROUPING SETS ((key, task), (key), ())
)
SELECT key, task, name, active_seconds, away_seconds, is_tagged, is_by_rule
FROM totals
ORDER BY active_seconds + away_seconds DESC, name, task
