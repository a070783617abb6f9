-- The days of the month [$start, $end) that have activity, in order.
SELECT date, active_seconds, top_application, first_activity, last_activity
FROM day_summary($start, $end)
ORDER BY date
