-- A row is the time of the range for a client and task, for a client (`task` is null), or in total (`key` is also
-- null), most first. The client is the first level of a tag. Time without a tag counts for the project and task of a
-- rule (docs/spec/time.md#client-time). `active_seconds` is active time of `$device`, or of all devices.
-- `away_seconds` is tagged time during which no device was active, such as a meeting away from the computer. Each
-- second counts once. `name` is the client, or the full tag of a task. `is_tagged` and `is_by_rule` show whether tags
-- or rules are the source.
WITH device_time AS (
    SELECT unnest(interval_union(start_local, start_utc, end_local, end_utc)) AS part
    FROM role_pieces('applications', $start, $end)
    WHERE $device IS NULL OR device = $device
),
active_time AS (
    SELECT unnest(interval_union(start_local, start_utc, end_local, end_utc)) AS part
    FROM role_pieces('applications', $start, $end)
),
-- Tags belong to a person, so they apply to every device. Active time has all tags that overlap it, even if a filter
-- selects only some of them.
tagged AS (
    SELECT 'active' AS kind, tag, path, start_utc, end_utc
    FROM tags
    WHERE start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    SELECT 'tagged', tag, path, start_utc, end_utc
    FROM tags_in($start, $end)
),
named AS (
    SELECT
        kind,
        COALESCE(path[1], tag) AS client,
        COALESCE(array_to_string(array_slice(path, 2, -1), ', '), '') AS task,
        tag AS name,
        start_utc,
        end_utc
    FROM tagged
),
parts AS (
    SELECT
        kind,
        client,
        task,
        name,
        greatest(start_utc, part['start_utc']) AS start_utc,
        least(end_utc, part['end_utc']) AS end_utc
    FROM named
    INNER JOIN device_time ON start_utc < part['end_utc'] AND end_utc > part['start_utc']
    WHERE kind = 'active'
    UNION ALL
    SELECT 'rule', project, COALESCE(task, ''), concat_ws(', ', project, task), start_utc, end_utc
    FROM pieces_by_rule($start, $end)
    WHERE project IS NOT NULL AND NOT is_tagged AND ($device IS NULL OR device = $device)
    UNION ALL
    SELECT kind, client, task, name, start_utc, end_utc
    FROM named
    WHERE kind = 'tagged'
    UNION ALL
    SELECT 'tagged_active', client, task, name, greatest(start_utc, part['start_utc']), least(end_utc, part['end_utc'])
    FROM named
    INNER JOIN active_time ON start_utc < part['end_utc'] AND end_utc > part['start_utc']
    WHERE kind = 'tagged'
),
totals AS (
    SELECT
        lower(client) AS key,
        task,
        CASE WHEN task IS NULL THEN min(client) ELSE min(name) END AS name,
        COALESCE(union_seconds(start_utc, end_utc) FILTER (WHERE kind IN ('active', 'rule')), 0) AS active_seconds,
        COALESCE(union_seconds(start_utc, end_utc) FILTER (WHERE kind = 'tagged'), 0)
        - COALESCE(union_seconds(start_utc, end_utc) FILTER (WHERE kind = 'tagged_active'), 0) AS away_seconds,
        bool_or(kind <> 'rule') AS is_tagged,
        bool_or(kind = 'rule') AS is_by_rule
    FROM parts
    GROUP BY GROUPING SETS ((lower(client), task), (lower(client)), ())
)
SELECT key, task, name, active_seconds, away_seconds, is_tagged, is_by_rule
FROM totals
ORDER BY active_seconds + away_seconds DESC, name, task
