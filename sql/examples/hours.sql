-- At which hours of the day am I at work?
SELECT date_part('hour', start_local) AS hour, sum(seconds) / 60 AS minutes
FROM pieces(today() - INTERVAL '14 days', today() + INTERVAL '1 day')
GROUP BY hour
ORDER BY hour
