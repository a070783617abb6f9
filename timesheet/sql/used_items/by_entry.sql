-- What the time of the entries of a JSON list was spent on, most seconds first.
SELECT entry_id, by, text, seconds
FROM known_by
WHERE entry_id IN (SELECT value FROM json_each(:ids))
ORDER BY entry_id, seconds DESC, by, text
