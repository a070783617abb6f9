-- A row is an interval of time for one client and task on one local day, or of active time without a client
-- (docs/spec/time.md#client-time). Tags take precedence: the first level of a tag is the client, and the other levels
-- are the task. Active time without a tag counts for the project and task of a rule. `is_away` is true if no device was
-- in use, so that only the tag shows the time. The function covers the active time of `$device`, or of all devices if
-- `$device` is null. Tagged time away from the computer is included for every `$device`. Intervals of one client and
-- task do not overlap, but intervals of two tasks or two clients can overlap. `union_seconds` counts each second once.

-- A piece without a client can be at the same time as a piece with a client on another device. Pieces with a client are
-- therefore listed twice: as pieces, and as rows of the kind 'active'. Rows of the kind 'active' apply to the pieces
-- without a client.
WITH untagged AS (
    SELECT
        project,
        task,
        unnest(CASE WHEN project IS NULL THEN ['none'] ELSE ['rule', 'client'] END) AS use,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM pieces_by_rule($start, $end)
    WHERE NOT is_tagged AND ($device IS NULL OR device = $device)
),
-- Each branch of `UNION ALL` limits the local range [$start, $end) itself. `split_by_rule` compares only rows of the
-- same device. Here, `source` is passed instead of the device. The conditions have these numbers:
-- - 1: an untagged piece has a client.
-- - 2: a tag of `tags_in` applies.
-- - 3: the selected device is active.
-- - 4: any device is active.
-- Rows of the kind 'tag' apply to the pieces of every device.
candidates AS (
    SELECT
        'piece' AS kind,
        'tag' AS source,
        COALESCE(path[1], tag) AS client,
        NULLIF(array_to_string(array_slice(path, 2, -1), ', '), '') AS task,
        '' AS conditions,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM tags_in($start, $end)
    UNION ALL
    -- With a filter, `tags_in` contains only matching tags. Active time can match for another reason, such as its
    -- title. Such active time can have tags that are not in `tags_in`.
    SELECT
        'piece',
        'other tag',
        COALESCE(path[1], tag),
        NULLIF(array_to_string(array_slice(path, 2, -1), ', '), ''),
        '',
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM tags
    WHERE start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    SELECT 'active', 'other tag', NULL, NULL, '2', start_local, start_utc, end_local, end_utc
    FROM tags_in($start, $end)
    UNION ALL
    SELECT
        CASE use WHEN 'client' THEN 'active' ELSE 'piece' END,
        CASE use WHEN 'rule' THEN 'rule' ELSE 'none' END,
        project,
        task,
        CASE use WHEN 'client' THEN '1' ELSE '' END,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM untagged
    UNION ALL
    SELECT
        'tag',
        NULL,
        NULL,
        NULL,
        CASE WHEN $device IS NULL OR device = $device THEN '3 4' ELSE '4' END,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM role_pieces('applications', $start, $end)
),
split AS (
    SELECT
        source,
        client,
        task,
        unnest(
            split_by_rule(
                kind, source, NULL, conditions, start_local, start_utc, end_local, end_utc, '1,2,3,4'
            ) OVER ()
        ) AS part
    FROM candidates
),
counted AS (
    SELECT
        CASE source WHEN 'rule' THEN 'rule' WHEN 'none' THEN NULL ELSE 'tag' END AS named_by,
        -- Names that differ only in case are the same client.
        min(client) OVER (PARTITION BY lower(client)) AS client,
        task,
        part['rule'] IS NULL AS is_away,
        unnest(split_days(part['start_local'], part['start_utc'], part['end_local'], part['end_utc'])) AS part
    FROM split
    WHERE part['rule'] = 3 OR source = 'tag' AND part['rule'] IS NULL
),
days AS (
    SELECT
        day_of(part['start_local']) AS day,
        client,
        task,
        named_by,
        is_away,
        interval_union(part['start_local'], part['start_utc'], part['end_local'], part['end_utc']) AS intervals
    FROM counted
    GROUP BY 1, 2, 3, 4, 5
),
rows AS (
    SELECT day, client, task, named_by, is_away, unnest(intervals) AS part
    FROM days
)
-- The order of the columns in `SELECT *`: the most useful columns come first.
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
