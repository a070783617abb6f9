-- Which documents did I work on this week?
SELECT name, round(union_seconds(start_utc, end_utc) / 60.0, 1) AS minutes, count(DISTINCT date) AS days
FROM pieces_by_day('documents', 'this week')
GROUP BY name
ORDER BY minutes DESC, name
LIMIT 10
