-- The timelines of the history.
SELECT *
FROM timelines
ORDER BY timeline_id
