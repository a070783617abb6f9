-- In which hours of the last 30 days did I use two devices at once, and for how long?
WITH parts AS (
    SELECT unnest(split_hours(start_local, start_utc, end_local, end_utc)) AS part
    FROM pieces(today() - INTERVAL '30 days', today() + INTERVAL '1 day')
),
hours AS (
    SELECT
        date_trunc('hour', part['start_local']) AS hour_local,
        sum(to_unixtime(part['end_utc']) - to_unixtime(part['start_utc']))
            - union_seconds(part['start_utc'], part['end_utc']) AS seconds
    FROM parts
    GROUP BY 1
)
SELECT hour_local, round(seconds / 60.0, 1) AS minutes_on_two_devices
FROM hours
WHERE seconds > 0
ORDER BY hour_local
