-- A row is an application row of the range, with the way its seconds count. The rows cover `$device` or all devices, in
-- order of time (docs/spec/time.md#why). If `$device` is set, a second also counts if it counts on another device.
SELECT
    device,
    start_local,
    end_local,
    seconds,
    CASE WHEN $device IS NULL THEN counted_seconds ELSE counted_seconds + shared_seconds END AS counted_seconds,
    CASE WHEN $device IS NULL THEN shared_seconds ELSE 0 END AS shared_seconds,
    not_in_use_seconds,
    hidden_seconds,
    call_seconds,
    application,
    rule,
    is_clipped,
    timeline_id,
    activity_id,
    reason
FROM why($start, $end)
WHERE $device IS NULL OR device = $device
ORDER BY COALESCE(start_utc, end_utc), end_utc, device, activity_id
