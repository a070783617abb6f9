-- A row is the active time of one key of the role `$role` in one period (`$period`: 'hour' or 'day') of the local
-- range, in order of time, of `$device` or all devices, each second counted once over all devices; without a key, of
-- all keys in the period, and without a period, of the whole range (docs/spec/time.md#minutes-that-count-once).
WITH parts AS (
    SELECT name, key, color, seconds, unnest(split_hours(start_local, start_utc, end_local, end_utc)) AS part
    FROM pieces_by_day($role, $start, $end)
    WHERE $device IS NULL OR device = $device
),
periods AS (
    SELECT
        date_trunc($period, part['start_local']) AS period,
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
