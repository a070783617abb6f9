-- A row is a stretch of one state of a device, cut at the local range [$start, $end) (semantics, sections 1 and 3).
WITH cut AS (
    SELECT device, state, clip_to_range(start_local, start_utc, end_local, end_utc, $start, $end) AS inside
    FROM computer_usage
    WHERE start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
)
SELECT
    device,
    state,
    inside['start_local'] AS start_local,
    inside['start_utc'] AS start_utc,
    inside['end_local'] AS end_local,
    inside['end_utc'] AS end_utc,
    to_unixtime(inside['end_utc']) - to_unixtime(inside['start_utc']) AS seconds
FROM cut
WHERE inside IS NOT NULL
