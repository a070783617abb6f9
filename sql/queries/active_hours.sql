-- A row is a local hour with active time on one local day of the range, in order of time. The rows cover `$device` or
-- all devices. A second on several devices counts once, so that hours add up to the days of `device_day_summary`
-- (docs/spec/time.md#sums).
WITH parts AS (
    SELECT date, unnest(split_hours(start_local, start_utc, end_local, end_utc)) AS part
    FROM pieces_by_day('applications', $start, $end)
    WHERE $device IS NULL OR device = $device
)
SELECT
    date,
    CAST(date_part('hour', part['start_local']) AS BIGINT) AS hour,
    union_seconds(part['start_utc'], part['end_utc']) AS seconds
FROM parts
GROUP BY 1, 2
ORDER BY date, hour
