-- A row is a day with activity in the month [$start, $end), in order.
SELECT date, active_seconds, top_application, first_activity, last_activity
FROM day_summary($start, $end)
ORDER BY date
