-- A row is a segment that starts in the month [$start, $end), in order of time. A segment that continues into the next
-- month is not cut. The columns with values from rules are not exported, because rules can change after a month is
-- exported.
SELECT
    device,
    activity_id,
    start_local,
    start_utc,
    end_local,
    end_utc,
    seconds,
    application,
    key,
    color,
    document,
    website,
    tags,
    title
FROM segments
WHERE start_local >= $start AND start_local < $end
ORDER BY start_local, device, start_utc
