-- The weekdays of the month [$start, $end), 0 = Sunday ... 6 = Saturday.
SELECT weekday, active_seconds
FROM weekday_pattern($start, $end)
ORDER BY weekday
