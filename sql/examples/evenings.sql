-- What do I do after six in the evening?
WITH parts AS (
    SELECT application, unnest(split_hours(start_local, start_utc, end_local, end_utc)) AS part
    FROM pieces(today() - INTERVAL '30 days', today() + INTERVAL '1 day')
)
SELECT application, round(union_seconds(part['start_utc'], part['end_utc']) / 60.0, 1) AS minutes
FROM parts
WHERE date_part('hour', part['start_local']) >= 18
GROUP BY application
ORDER BY minutes DESC
LIMIT 5
