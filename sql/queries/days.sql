-- A row is a day for a period summary, in order. The last row, without a date, is the whole period.
SELECT date, active_seconds, top_application, first_activity, last_activity
FROM device_day_totals($device, $start, $end)
ORDER BY date NULLS LAST
