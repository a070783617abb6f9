-- A row is an interval of one state of a device, clipped to the local range [$start, $end). States of a device are
-- clipped by the same clock as its pieces, so that active time never exceeds active use
-- (docs/spec/time.md#order-of-cuts).

-- The clocks of pieces are needed only near the start and the end of the range. The branches for pieces therefore read
-- only the day before and the day after each of these two times.
WITH candidates AS (
    SELECT state AS kind, device, activity_id, timeline_id, start_local, start_utc, end_local, end_utc
    FROM computer_usage
    WHERE start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    SELECT 'application', device, activity_id, timeline_id, start_local, start_utc, end_local, end_utc
    FROM recorded_activities
    WHERE role = 'applications'
        AND start_local < $start + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    SELECT 'application', device, activity_id, timeline_id, start_local, start_utc, end_local, end_utc
    FROM recorded_activities
    WHERE role = 'applications'
        AND start_local < $end + INTERVAL '1 day'
        AND end_local > $end - INTERVAL '1 day'
    UNION ALL
    SELECT 'call', device, NULL, NULL, start_local, start_utc, end_local, end_utc
    FROM calls_around($start, $start)
    UNION ALL
    SELECT 'call', device, NULL, NULL, start_local, start_utc, end_local, end_utc
    FROM calls_around($end, $end)
),
clipped AS (
    SELECT
        kind AS state,
        device,
        unnest(
            clip_usage(
                kind, device, activity_id, timeline_id, start_local, start_utc, end_local, end_utc, $start, $end
            ) OVER ()
        ) AS inside
    FROM candidates
)
SELECT
    device,
    state,
    inside['start_local'] AS start_local,
    inside['start_utc'] AS start_utc,
    inside['end_local'] AS end_local,
    inside['end_utc'] AS end_utc,
    to_unixtime(inside['end_utc']) - to_unixtime(inside['start_utc']) AS seconds
FROM clipped
