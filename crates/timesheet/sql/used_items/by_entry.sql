-- Returns the files, sites and applications of several entries, longest time first. `:ids` is a JSON list of the
-- entries' ids.
SELECT entry_id, by, text, seconds
FROM known_by
WHERE entry_id IN (SELECT value FROM json_each(:ids))
ORDER BY entry_id, seconds DESC, by, text
