-- A row is the time for a client in the range, each second counted once. There is a row for each task and day, each
-- day (`task` is null), each task (`date` is null) and each client (both are null). The order is by date, then most
-- time first. The client is the first level of a tag. Tagged time counts even if no device was active: a meeting away
-- from the computer is time for the client. Active time without a tag counts for the project and task of a rule
-- (docs/spec/time.md#client-time).
WITH named AS (
    SELECT
        COALESCE(path[1], tag) AS client,
        COALESCE(array_to_string(array_slice(path, 2, -1), ', '), '') AS task,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM tags_in($start, $end)
    UNION ALL
    SELECT project, COALESCE(task, ''), start_local, start_utc, end_local, end_utc
    FROM pieces_by_rule($start, $end)
    WHERE project IS NOT NULL AND NOT is_tagged
),
parts AS (
    SELECT
        lower(client) AS key,
        client,
        task,
        unnest(split_days(start_local, start_utc, end_local, end_utc)) AS part
    FROM named
),
dated AS (
    SELECT
        key,
        client,
        task,
        CAST(part['start_local'] AS DATE) AS date,
        part['start_utc'] AS start_utc,
        part['end_utc'] AS end_utc
    FROM parts
)
SELECT key, min(client) AS client, task, date, union_seconds(start_utc, end_utc) AS seconds
FROM dated
GROUP BY GROUPING SETS ((key, task, date), (key, date), (key, task), (key))
ORDER BY key, date, seconds DESC, task
