-- A row is the active time of one key of the role `$role` in one hour or day of the local range, in order of time.
-- `$period` is 'hour' or 'day'. The period of a day is the midnight of its date. The rows cover `$device` or all
-- devices. Each second counts once over all devices. A row without a key covers all keys in the period, and a row
-- without a period covers the whole range (docs/spec/time.md#minutes-that-count-once).
WITH parts AS (
    SELECT date, name, key, color, seconds, unnest(split_hours(start_local, start_utc, end_local, end_utc)) AS part
    FROM pieces_by_day($role, $start, $end)
    WHERE $device IS NULL OR device = $device
),
periods AS (
    SELECT
        CASE WHEN $period = 'day' THEN CAST(date AS TIMESTAMP(0)) ELSE date_trunc('hour', part['start_local']) END AS period,
        name,
        key,
        color,
        seconds,
        part['start_utc'] AS start_utc,
        part['end_utc'] AS end_utc
    FROM parts
)
SELECT
    period,
    key,
    CASE WHEN grouping(key) = 0 THEN ranked_by_weight(name, seconds, start_utc)[1] END AS name,
    CASE WHEN grouping(key) = 0 THEN ranked_by_weight(color, seconds, start_utc)[1] END AS color,
    union_seconds(start_utc, end_utc) AS seconds
FROM periods
GROUP BY GROUPING SETS ((period, key), (period), (key), ())
ORDER BY period, key
