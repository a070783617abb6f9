-- When did I stay with one thing for longest?
SELECT start_local, round(seconds / 60.0, 1) AS minutes, application, document
FROM narrative(today() - INTERVAL '14 days', today() + INTERVAL '1 day')
ORDER BY seconds DESC
LIMIT 10
