-- The recorded hours of the month [$start, $end) that the `*_usage` view of the role `$role` lists, in order of time.
SELECT hour_local, name, key, color, seconds, data_source
FROM hourly_usage($role, $start, $end)
ORDER BY hour_local, key, name, data_source
