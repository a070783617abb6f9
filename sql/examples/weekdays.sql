-- Which weekday is the longest?
SELECT
    ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'][weekday + 1] AS day,
    round(active_seconds / 3600.0, 1) AS hours
FROM weekday_pattern(today() - INTERVAL '28 days', today())
ORDER BY hours DESC
