-- How much time did each client get this month?
SELECT path[1] AS client, round(union_seconds(start_utc, end_utc) / 3600.0, 1) AS hours
FROM tags_in(date_trunc('month', today()), today() + INTERVAL '1 day')
GROUP BY client
ORDER BY hours DESC
