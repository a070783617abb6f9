-- Which sites had my attention this week, and for how long?
SELECT website, sum(seconds) / 60 AS minutes
FROM narrative(today() - INTERVAL '7 days', today() + INTERVAL '1 day')
WHERE website IS NOT NULL
GROUP BY website
ORDER BY minutes DESC
LIMIT 10
