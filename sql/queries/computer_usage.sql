-- A row is an interval of one state in the range, of one device or all, in order of time.
SELECT device, state, start_local, end_local, seconds
FROM computer_usage_in($start, $end)
WHERE $device IS NULL OR device = $device
ORDER BY start_utc, device, end_utc, state
