-- A row is an interval on a device, in or near the local range [$start, $end). Partitions must not split this interval.
-- The interval is active use or a call that counts. If the active use of the device is unknown, the interval is an
-- activity of the role `$role`. In a pause between these intervals, a query can be split: results before and after the
-- pause do not depend on each other (docs/spec/time.md#segments).
SELECT device, start_local, start_utc, end_local, end_utc
FROM computer_usage
WHERE state = 'active' AND start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
UNION ALL
SELECT device, start_local, start_utc, end_local, end_utc
FROM calls_around($start, $end)
UNION ALL
SELECT device, start_local, start_utc, end_local, end_utc
FROM recorded_activities
WHERE role = $role
    AND NOT is_tracked
    AND start_local < $end + INTERVAL '1 day'
    AND end_local > $start - INTERVAL '1 day'
