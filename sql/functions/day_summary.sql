-- A row is a local day with activity in [$start, $end), over all devices.
SELECT date, active_seconds, top_application, first_activity, last_activity
FROM device_day_summary(NULL, $start, $end)
