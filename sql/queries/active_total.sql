-- One row: the active seconds of the range, the number of devices in use, and the local times of the first and the last
-- use. Each second counts once over all devices (docs/spec/time.md#minutes-that-count-once).
SELECT
    union_seconds(start_utc, end_utc) AS active_seconds,
    count(DISTINCT device) AS devices,
    min(start_local) AS first_use,
    max(end_local) AS last_use
FROM role_pieces('applications', $start, $end)
WHERE $device IS NULL OR device = $device
