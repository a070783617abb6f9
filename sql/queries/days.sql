-- The days that a period summary lists, in order, and at the end the whole period, a row without date.
SELECT date, active_seconds, top_application, first_activity, last_activity
FROM device_day_totals($device, $start, $end)
ORDER BY date NULLS LAST
