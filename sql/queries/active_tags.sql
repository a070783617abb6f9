-- A row is a first level of tags (a client, as most name it) with the active seconds of the range that are tagged so,
-- each counted once over all devices, most first; then, without a name, all that are tagged
-- (docs/spec/time.md#minutes-that-count-once). Tags are the person's: they belong to every device, while `$device` says
-- whose active time is looked at.
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
