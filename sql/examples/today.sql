-- What did I do today, in a few lines?
SELECT start_local, end_local, round(seconds / 60.0, 1) AS minutes, application, document, website
FROM coarse_narrative(today(), today() + INTERVAL '1 day')
ORDER BY start_local
