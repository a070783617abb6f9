-- One row: the active seconds of the range, each counted once over all devices, and how many devices had any
-- (docs/spec/time.md#minutes-that-count-once).
SELECT union_seconds(start_utc, end_utc) AS active_seconds, count(DISTINCT device) AS devices
FROM role_pieces('applications', $start, $end)
WHERE $device IS NULL OR device = $device
