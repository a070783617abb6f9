-- A row is a local day with activity in the range, for `$device` or all devices, in order (docs/spec/time.md#why). The
-- last row, without a date, is the whole range.
SELECT
    date,
    COALESCE(union_seconds(start_utc, end_utc), 0) AS active_seconds,
    min(start_local) AS first_use,
    max(end_local) AS last_use,
    max(to_unixtime(end_utc)) - min(to_unixtime(start_utc)) AS elapsed_seconds
FROM pieces_by_day('applications', $start, $end)
WHERE $device IS NULL OR device = $device
GROUP BY GROUPING SETS ((), (date))
ORDER BY date NULLS LAST
