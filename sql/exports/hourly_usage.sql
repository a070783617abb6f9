-- A row is the recorded time of one name in one hour of the month [$start, $end), in order of time. The rows are
-- those of the `*_usage` view of the role `$role`.
SELECT hour_local, name, key, color, seconds, data_source
FROM hourly_usage($role, $start, $end)
ORDER BY hour_local, key, name, data_source
