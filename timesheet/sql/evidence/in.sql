-- The evidence that has a second of a stretch of time, in the order of time.
SELECT entry_id, start_utc, end_utc, device, activity
FROM evidence
WHERE start_utc < :end AND end_utc > :start
ORDER BY entry_id, start_utc, end_utc, device, activity
