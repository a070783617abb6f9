-- A row is a segment that starts in the month [$start, $end), in order of time. Segments are complete, as in the
-- whole history. The columns that rules set are not exported, because rules change and months that are already
-- written don't.
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
