-- A row is a break or a night in the range, for one device or all, in order of time (docs/spec/time.md#breaks).
SELECT
    date,
    start_local,
    end_local,
    seconds,
    is_night,
    in_use_seconds,
    away_seconds,
    locked_seconds,
    off_seconds,
    unknown_seconds
FROM device_breaks($device, $start, $end)
ORDER BY start_utc
