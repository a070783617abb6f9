-- A row is a local day with activity inside [$start, $end), of one device or, where `$device` is null, of all: its
-- active seconds, each counted once over all devices, the application with the most of them, and the first and the last
-- local time at which there were any (docs/spec/time.md#period-summary).
SELECT date, active_seconds, top_application, first_activity, last_activity
FROM device_active_days($device, $start, $end)
