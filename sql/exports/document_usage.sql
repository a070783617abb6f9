-- The recorded hours of the month [$start, $end) that `document_usage` lists, in order of time.
SELECT hour_local, name, key, color, seconds, data_source
FROM hourly_usage('documents', $start, $end)
ORDER BY hour_local, key, name, data_source
