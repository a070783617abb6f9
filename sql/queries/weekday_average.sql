-- One row: the average active seconds of the days of the range that have activity and are on `$weekday` (0 is Sunday),
-- for one device or all, and the number of these days. The average is null without such days.
SELECT CAST(round(avg(active_seconds)) AS BIGINT) AS active_seconds, count(*) AS days
FROM device_day_summary($device, $start, $end)
WHERE CAST(date_part('dow', date) AS BIGINT) = $weekday
