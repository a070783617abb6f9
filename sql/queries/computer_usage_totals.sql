-- A row is a state with its seconds in the range, on `$device` or on all devices. A second on several devices counts
-- once.
SELECT state, union_seconds(start_utc, end_utc) AS seconds
FROM computer_usage_in($start, $end)
WHERE $device IS NULL OR device = $device
GROUP BY state
