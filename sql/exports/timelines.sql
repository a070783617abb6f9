-- A row is a timeline of the history.
SELECT *
FROM timelines
ORDER BY timeline_id
