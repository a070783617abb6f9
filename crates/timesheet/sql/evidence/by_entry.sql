-- Returns the evidence of the entries in a JSON list, in time order.
SELECT entry_id, start_utc, end_utc, device, activity, utc_offset
FROM evidence
WHERE entry_id IN (SELECT value FROM json_each(:ids))
ORDER BY entry_id, start_utc, end_utc, device, activity
