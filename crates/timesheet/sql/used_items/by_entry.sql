-- Returns the files, sites and applications of the entries in a JSON list, longest time first.
SELECT entry_id, by, text, seconds
FROM known_by
WHERE entry_id IN (SELECT value FROM json_each(:ids))
ORDER BY entry_id, seconds DESC, by, text
