-- A row is an interval of one state in the range, on `$device` or on all devices, in order of time.
SELECT device, state, start_local, end_local, seconds
FROM computer_usage_in($start, $end)
WHERE $device IS NULL OR device = $device
ORDER BY start_utc, device, end_utc, state
