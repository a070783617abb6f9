-- A row is a local day as in `device_day_summary`. The row without a date is the whole range. In this row, each second
-- counts once. If devices are in two time zones, one second can belong to two local days. The days can then add up to
-- more than the whole range (docs/spec/time.md#minutes-that-count-once).
WITH parts AS (
    SELECT top_application, first_activity, last_activity, date, unnest(active) AS part
    FROM device_active_days($device, $start, $end)
)
SELECT
    date,
    union_seconds(part['start_utc'], part['end_utc']) AS active_seconds,
    CASE WHEN grouping(date) = 0 THEN first_value(top_application) END AS top_application,
    min(first_activity) AS first_activity,
    max(last_activity) AS last_activity
FROM parts
GROUP BY GROUPING SETS ((), (date))
