-- The evidence of the entries of a JSON list, in the order of time.
SELECT entry_id, start_utc, end_utc, device, activity
FROM evidence
WHERE entry_id IN (SELECT value FROM json_each(:ids))
ORDER BY entry_id, start_utc, end_utc, device, activity
