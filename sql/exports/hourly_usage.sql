-- A row is the recorded time of one name in one hour of the month [$start, $end), in order of time. The rows are the
-- same as in the `*_usage` view for the role `$role`.
SELECT hour_local, name, key, color, seconds, data_source
FROM hourly_usage($role, $start, $end)
ORDER BY hour_local, key, name, data_source
