-- What do I do after six in the evening?
SELECT application, sum(seconds) / 60 AS minutes
FROM pieces(today() - INTERVAL '30 days', today() + INTERVAL '1 day')
WHERE date_part('hour', start_local) >= 18
GROUP BY application
ORDER BY minutes DESC
LIMIT 5
