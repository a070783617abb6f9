-- What did I do today, in a few lines?
SELECT start_local, end_local, seconds / 60 AS minutes, application, document, website
FROM coarse_narrative(today(), today() + INTERVAL '1 day')
ORDER BY start_local
