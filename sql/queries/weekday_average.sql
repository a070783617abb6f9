-- One row: the average active seconds of a weekday in the range, and the number of days in this average, for `$device`
-- or all devices. `$weekday` is the weekday, and 0 is Sunday. Only days with activity count. Without such days, the
-- average is null.
SELECT CAST(round(avg(active_seconds)) AS BIGINT) AS active_seconds, count(*) AS days
FROM device_day_summary($device, $start, $end)
WHERE CAST(date_part('dow', date) AS BIGINT) = $weekday
