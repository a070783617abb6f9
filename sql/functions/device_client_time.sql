-- A row is an interval of time for one client and task on one local day, or of active time without a client
-- (docs/spec/time.md#client-time). Tags come first: their first level is the client, the others are the task. Active
-- time without a tag counts for the project and task of a rule. `is_away` is whether no device was in active use, so
-- that only a tag is the source. The function covers the active time of `$device`, or of all devices if it is null.
-- Tagged time away belongs to no device. Intervals of one client and task do not overlap, but those of two tasks or
-- clients can. `union_seconds` counts each second once.

-- Every branch repeats the local range [$start, $end).
WITH candidates AS (
    -- Tags belong to a person, so they apply to every device.
    SELECT
        'piece' AS kind,
        'tag' AS named_by,
        COALESCE(path[1], tag) AS client,
        NULLIF(array_to_string(array_slice(path, 2, -1), ', '), '') AS task,
        '' AS conditions,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM tags_in($start, $end)
    UNION ALL
    -- Condition 1 of a tag: the selected device is active. Condition 2: any device is active.
    SELECT
        'active',
        'tag',
        NULL,
        NULL,
        CASE WHEN $device IS NULL OR device = $device THEN '1 2' ELSE '2' END,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM role_pieces('applications', $start, $end)
    UNION ALL
    SELECT
        'piece',
        CASE WHEN project IS NOT NULL THEN 'rule' END,
        project,
        task,
        '',
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM pieces_by_rule($start, $end)
    WHERE NOT is_tagged AND ($device IS NULL OR device = $device)
    UNION ALL
    -- Condition 1 of a piece without a client: another device is in use for a client.
    SELECT 'active', NULL, NULL, NULL, '1', start_local, start_utc, end_local, end_utc
    FROM pieces_by_rule($start, $end)
    WHERE NOT is_tagged AND project IS NOT NULL AND ($device IS NULL OR device = $device)
),
parts AS (
    SELECT
        named_by,
        client,
        task,
        unnest(
            split_by_rule(
                kind, named_by, NULL, conditions, start_local, start_utc, end_local, end_utc, '1,2'
            ) OVER ()
        ) AS part
    FROM candidates
),
counted AS (
    SELECT
        named_by,
        -- Names are compared without case.
        min(client) OVER (PARTITION BY lower(client)) AS client,
        task,
        named_by = 'tag' AND part['rule'] IS NULL AS is_away,
        unnest(split_days(part['start_local'], part['start_utc'], part['end_local'], part['end_utc'])) AS part
    FROM parts
    WHERE named_by = 'rule'
        OR named_by = 'tag' AND (part['rule'] IS NULL OR part['rule'] = 1)
        OR named_by IS NULL AND part['rule'] IS NULL
),
days AS (
    SELECT
        CAST(part['start_local'] AS DATE) AS day,
        client,
        task,
        named_by,
        COALESCE(is_away, false) AS is_away,
        interval_union(part['start_local'], part['start_utc'], part['end_local'], part['end_utc']) AS intervals
    FROM counted
    GROUP BY 1, 2, 3, 4, 5
),
rows AS (
    SELECT day, client, task, named_by, is_away, unnest(intervals) AS part
    FROM days
)
-- `SELECT *` shows the columns that people look for first.
SELECT
    day,
    client,
    task,
    part['start_local'] AS start_local,
    part['end_local'] AS end_local,
    to_unixtime(part['end_utc']) - to_unixtime(part['start_utc']) AS seconds,
    is_away,
    named_by,
    part['start_utc'] AS start_utc,
    part['end_utc'] AS end_utc
FROM rows
