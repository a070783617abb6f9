-- The rows that a coarse narrative lists, of one device or all, in order of time. Rows shorter than `$min_seconds` are
-- dropped; the caller cuts the list (semantics, section 4).
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
FROM coarse_narrative($start, $end, $max_gap_minutes)
WHERE ($device IS NULL OR device = $device) AND seconds >= $min_seconds
ORDER BY start_utc, device
