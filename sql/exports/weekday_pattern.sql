-- A row is a weekday of the month [$start, $end), with its active seconds. 0 is Sunday, 6 is Saturday.
SELECT weekday, active_seconds
FROM weekday_pattern($start, $end)
ORDER BY weekday
