-- A row is a segment for a narrative, on `$device` or on all devices, in order of time. After merging, segments shorter
-- than `$min_seconds` are left out. The caller shortens the list (docs/spec/time.md#segment-fields).
SELECT
    device,
    start_local,
    start_utc,
    end_local,
    end_utc,
    seconds,
    application,
    color,
    document,
    website,
    title,
    tags
FROM narrative($start, $end, $max_gap_minutes)
WHERE ($device IS NULL OR device = $device) AND seconds >= $min_seconds
ORDER BY start_utc, device
