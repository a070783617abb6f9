-- A row is a local day as `day_summary_of` tells it; the row without date is the whole range, of which each second counts
-- once too: devices in two time zones can have one on two days (semantics, sections 3 and 6).
WITH totals AS (
    -- Of the range, of each day, and of each of its applications: two can have one name, their keys tell them apart.
    SELECT
        date,
        grouping(key) = 0 AS is_application,
        ranked_by_weight(name, seconds, start_utc)[1] AS name,
        union_seconds(start_utc, end_utc) AS seconds,
        min(start_local) AS first_activity,
        max(end_local) AS last_activity
    FROM days_of('applications', $start, $end)
    WHERE $device IS NULL OR device = $device
    GROUP BY GROUPING SETS ((), (date), (date, key))
)
SELECT
    date,
    max(seconds) FILTER (WHERE NOT is_application) AS active_seconds,
    first_value(name ORDER BY seconds DESC, name) FILTER (WHERE is_application) AS top_application,
    max(first_activity) FILTER (WHERE NOT is_application) AS first_activity,
    max(last_activity) FILTER (WHERE NOT is_application) AS last_activity
FROM totals
GROUP BY date
