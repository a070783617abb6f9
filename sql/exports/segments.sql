-- The segments that start in the month [$start, $end), whole and as in the whole history, in order of time. What rules say of
-- them is left out: rules change, months that are written do not.
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
