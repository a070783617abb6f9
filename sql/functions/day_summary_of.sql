-- A row is a local day with activity inside [$start, $end), of one device or, where `$device` is null, of all: its
-- active seconds, each counted once over all devices, the application with the most of them, and the local times when
-- its first piece starts and its last ends (semantics, section 6).
SELECT
    date,
    union_seconds(start_utc, end_utc) AS active_seconds,
    ranked_by_weight(name, seconds, start_utc)[1] AS top_application,
    first_value(start_local ORDER BY start_utc) AS first_activity,
    last_value(end_local ORDER BY end_utc) AS last_activity
FROM days_of('applications', $start, $end)
WHERE $device IS NULL OR device = $device
GROUP BY date
