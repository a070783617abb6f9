-- Returns the evidence of several entries, in time order. `:ids` is a JSON list of the entries' ids.
SELECT entry_id, start_utc, end_utc, device, activity, utc_offset
FROM evidence
WHERE entry_id IN (SELECT value FROM json_each(:ids))
ORDER BY entry_id, start_utc, end_utc, device, activity
