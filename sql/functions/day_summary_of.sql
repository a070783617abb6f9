-- A row is a local day with activity inside [$start, $end), of one device or, where `$device` is null, of all: its
-- active seconds, each counted once over all devices, the application with the most of them, and the first and the last
-- local time at which there were any (semantics, section 6). A day of devices in two time zones can be longer than a day.
WITH totals AS (
    -- Of each day, and of each of its applications: two can have one name, their keys tell them apart.
    SELECT
        date,
        grouping(key) = 1 AS is_day,
        ranked_by_weight(name, seconds, start_utc)[1] AS name,
        union_seconds(start_utc, end_utc) AS seconds,
        min(start_local) AS first_activity,
        max(end_local) AS last_activity
    FROM days_of('applications', $start, $end)
    WHERE $device IS NULL OR device = $device
    GROUP BY GROUPING SETS ((date), (date, key))
)
SELECT
    date,
    max(seconds) FILTER (WHERE is_day) AS active_seconds,
    first_value(name ORDER BY seconds DESC, name) FILTER (WHERE NOT is_day) AS top_application,
    max(first_activity) FILTER (WHERE is_day) AS first_activity,
    max(last_activity) FILTER (WHERE is_day) AS last_activity
FROM totals
GROUP BY date
