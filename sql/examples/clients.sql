-- How much time did each client get this month?
SELECT client, round(union_seconds(start_utc, end_utc) / 3600.0, 1) AS hours
FROM client_time('this month')
WHERE client IS NOT NULL
GROUP BY client
ORDER BY hours DESC
