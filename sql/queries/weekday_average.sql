-- One row: the average active seconds of days in the range, and the number of these days, for `$device` or all devices.
-- Only days with activity on the weekday `$weekday` (0 is Sunday) count. Without such days, the average is null.
SELECT CAST(round(avg(active_seconds)) AS BIGINT) AS active_seconds, count(*) AS days
FROM device_day_summary($device, $start, $end)
WHERE CAST(date_part('dow', date) AS BIGINT) = $weekday
