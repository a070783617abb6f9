-- A row is a local day with activity inside [$start, $end), over all devices, as it was when it was exported.
SELECT date, active_seconds, top_application, first_activity, last_activity
FROM day_summary
WHERE date >= CAST($start AS DATE) AND date < CAST($end AS DATE)
