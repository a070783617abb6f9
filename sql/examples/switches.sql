-- How often do I switch between applications, day by day?
SELECT day_of(start_local) AS day, count(*) AS segments, round(avg(seconds) / 60, 1) AS minutes_each
FROM narrative(today() - INTERVAL '7 days', today() + INTERVAL '1 day')
GROUP BY day
ORDER BY day
