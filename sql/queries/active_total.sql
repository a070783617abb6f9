-- One row: the active seconds of the range and the number of devices in use. Each second counts once over all devices
-- (docs/spec/time.md#minutes-that-count-once).
SELECT union_seconds(start_utc, end_utc) AS active_seconds, count(DISTINCT device) AS devices
FROM role_pieces('applications', $start, $end)
WHERE $device IS NULL OR device = $device
