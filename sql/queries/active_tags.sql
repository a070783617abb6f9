-- A row is the first level of a tag (for most people, a client) with its active seconds in the range. The level with
-- the most seconds comes first. Each second counts once over all devices. The last row, without a name, is the total of
-- all tagged time (docs/spec/time.md#minutes-that-count-once). `$device` limits only the active time, not the tags.
-- Tags belong to a person, so they apply to every device.
WITH active_time AS (
    SELECT unnest(interval_union(start_local, start_utc, end_local, end_utc)) AS part
    FROM role_pieces('applications', $start, $end)
    WHERE $device IS NULL OR device = $device
),
tagged AS (
    SELECT
        COALESCE(tags.path[1], tags.tag) AS name,
        greatest(tags.start_utc, active_time.part['start_utc']) AS start_utc,
        least(tags.end_utc, active_time.part['end_utc']) AS end_utc
    FROM tags
    INNER JOIN active_time ON tags.start_utc < active_time.part['end_utc'] AND tags.end_utc > active_time.part['start_utc']
    WHERE tags.start_local < $end + INTERVAL '1 day' AND tags.end_local > $start - INTERVAL '1 day'
)
SELECT name, union_seconds(start_utc, end_utc) AS seconds
FROM tagged
GROUP BY name
UNION ALL
SELECT NULL, union_seconds(start_utc, end_utc)
FROM tagged
ORDER BY name IS NULL, seconds DESC, name
