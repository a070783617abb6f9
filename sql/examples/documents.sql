-- Which documents did I work on this week?
SELECT name, sum(seconds) / 60 AS minutes, count(DISTINCT date_trunc('day', start_local)) AS days
FROM pieces_of('documents', today() - INTERVAL '7 days', today() + INTERVAL '1 day')
GROUP BY name
ORDER BY minutes DESC
LIMIT 10
