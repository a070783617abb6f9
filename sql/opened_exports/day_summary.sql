-- A row is a local day with activity in [$start, $end), over all devices, as of the time of the export.
SELECT date, active_seconds, top_application, first_activity, last_activity
FROM day_summary
WHERE date >= CAST($start AS DATE) AND date < CAST($end AS DATE)
