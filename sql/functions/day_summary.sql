-- A row is a local day with activity inside [$start, $end), over all devices (the function `device_day_summary`).
SELECT date, active_seconds, top_application, first_activity, last_activity
FROM device_day_summary(NULL, $start, $end)
