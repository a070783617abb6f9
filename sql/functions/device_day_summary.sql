-- A row is a local day with activity in [$start, $end), for one device, or for all devices if `$device` is null. It has
-- the active seconds, the application with the most active seconds, and the first and last local time of activity
-- (docs/spec/time.md#period-summary). Each second counts once over all devices.
SELECT date, active_seconds, top_application, first_activity, last_activity
FROM device_active_days($device, $start, $end)
