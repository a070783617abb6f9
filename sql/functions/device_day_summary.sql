-- A row is a local day with activity in [$start, $end), for one device, or for all if `$device` is null. It has the
-- active seconds, each counted once over all devices, the application with the most of them, and the first and last
-- local time of activity (docs/spec/time.md#period-summary).
SELECT date, active_seconds, top_application, first_activity, last_activity
FROM device_active_days($device, $start, $end)
