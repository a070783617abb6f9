-- What did I do today, in a few lines?
SELECT start_local, end_local, round(seconds / 60.0, 1) AS minutes, subject, applications[1]['name'] AS application
FROM blocks(today(), today() + INTERVAL '1 day')
ORDER BY start_local
