-- A row is a local day with activity in [$start, $end), over all devices, as of the time of the export.
SELECT date, active_seconds, top_application, first_activity, last_activity
FROM day_summary
WHERE date >= day_of($start) AND date < day_of($end)
