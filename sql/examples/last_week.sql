-- Where did the last seven days go?
SELECT date, round(active_seconds / 3600.0, 1) AS hours, top_application
FROM day_summary(today() - INTERVAL '7 days', today())
ORDER BY date
