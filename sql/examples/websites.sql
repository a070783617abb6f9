-- Which sites had my attention this week, and for how long?
SELECT name AS website, round(union_seconds(start_utc, end_utc) / 60.0, 1) AS minutes
FROM role_pieces('websites', 'this week')
GROUP BY website
ORDER BY minutes DESC, website
LIMIT 10
