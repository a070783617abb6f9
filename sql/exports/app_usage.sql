-- The recorded hours of the month [$start, $end) that `app_usage` lists, in order of time.
SELECT hour_local, name, key, color, seconds, data_source
FROM hourly_usage('applications', $start, $end)
ORDER BY hour_local, key, name, data_source
