-- The days that a period summary lists, in order.
SELECT date, active_seconds, top_application, first_activity, last_activity
FROM day_summary_of($device, $start, $end)
ORDER BY date
