-- A row is a local day with activity inside [$start, $end), over all devices (the function `day_summary_of`).
SELECT date, active_seconds, top_application, first_activity, last_activity
FROM day_summary_of(NULL, $start, $end)
