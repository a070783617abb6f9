-- Returns the tags of several entries, in the order in which they were set. `:ids` is a JSON list of the entries' ids.
SELECT entry_id, name, value
FROM entry_tags
WHERE entry_id IN (SELECT value FROM json_each(:ids))
ORDER BY entry_id, position
