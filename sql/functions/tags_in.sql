-- A row is a tagged interval, clipped to the local range [$start, $end). It is not clipped to active use, because a
-- meeting away from the computer is also tagged time (docs/spec/time.md#tagged-time).
WITH clipped AS (
    SELECT
        tag,
        color,
        path,
        is_billable,
        notes,
        clip_to_range(start_local, start_utc, end_local, end_utc, $start, $end) AS inside
    FROM tags
    WHERE start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
)
SELECT
    tag,
    color,
    path,
    is_billable,
    notes,
    inside['start_local'] AS start_local,
    inside['start_utc'] AS start_utc,
    inside['end_local'] AS end_local,
    inside['end_utc'] AS end_utc,
    to_unixtime(inside['end_utc']) - to_unixtime(inside['start_utc']) AS seconds
FROM clipped
WHERE inside IS NOT NULL
