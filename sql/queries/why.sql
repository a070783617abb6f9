-- A row is an interval of the range and how its seconds count, for one device or all, in order of time
-- (docs/spec/time.md#why). Tags during which no device recorded anything belong to a person, so they are listed for
-- every device.
SELECT
    device,
    start_local,
    end_local,
    seconds,
    counts,
    adds_to,
    application,
    timeline_id,
    activity_id,
    cut_start,
    cut_end,
    segment_start,
    step,
    block_start,
    block,
    is_on_subject,
    rule,
    tags,
    reason
FROM why($start, $end)
WHERE $device IS NULL OR device = $device OR counts = 'tagged'
ORDER BY COALESCE(start_utc, end_utc), end_utc, device, activity_id
