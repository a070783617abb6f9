-- A row is the part of a piece of the role `$role` on one local day, in order of time. The rows cover `$device` or all
-- devices.
SELECT date, device, name, color, start_local, start_utc, end_local, end_utc
FROM pieces_by_day($role, $start, $end)
WHERE $device IS NULL OR device = $device
ORDER BY start_utc, device
