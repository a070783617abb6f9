-- A row is a local day of `device_day_summary`, with its active intervals. The list `active` is the union of the
-- intervals over the selected devices (docs/spec/time.md#minutes-that-count-once).
WITH totals AS (
    -- There is one row for each day, and one row for each application on each day. Two applications can have the same
    -- name, so rows are grouped by the key.
    SELECT
        date,
        grouping(key) = 0 AS is_application,
        ranked_by_weight(name, seconds, start_utc)[1] AS name,
        union_seconds(start_utc, end_utc) AS seconds,
        interval_union(start_local, start_utc, end_local, end_utc) AS active,
        min(start_local) AS first_activity,
        max(end_local) AS last_activity
    FROM pieces_by_day('applications', $start, $end)
    WHERE $device IS NULL OR device = $device
    GROUP BY GROUPING SETS ((date), (date, key))
)
SELECT
    date,
    max(seconds) FILTER (WHERE NOT is_application) AS active_seconds,
    first_value(name ORDER BY seconds DESC, name) FILTER (WHERE is_application) AS top_application,
    max(first_activity) FILTER (WHERE NOT is_application) AS first_activity,
    max(last_activity) FILTER (WHERE NOT is_application) AS last_activity,
    first_value(active) FILTER (WHERE NOT is_application) AS active
FROM totals
GROUP BY date
