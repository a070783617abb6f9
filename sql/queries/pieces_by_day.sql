-- A row is a part of a piece of the role `$role` that lies in one local day, of one device or all, in order of time
-- (the function `pieces_by_day`).
SELECT date, device, name, color, start_local, start_utc, end_local, end_utc
FROM pieces_by_day($role, $start, $end)
WHERE $device IS NULL OR device = $device
ORDER BY start_utc, device
