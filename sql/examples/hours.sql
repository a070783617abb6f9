-- At which hours of the day am I at work?
WITH parts AS (
    SELECT unnest(split_hours(start_local, start_utc, end_local, end_utc)) AS part
    FROM pieces(today() - INTERVAL '14 days', today() + INTERVAL '1 day')
)
SELECT
    date_part('hour', part['start_local']) AS hour,
    round(union_seconds(part['start_utc'], part['end_utc']) / 60.0, 1) AS minutes
FROM parts
GROUP BY hour
ORDER BY hour
