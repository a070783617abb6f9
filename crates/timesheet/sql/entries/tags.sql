-- Returns the tags of the entries in a JSON list, in the order in which they were set.
SELECT entry_id, name, value
FROM entry_tags
WHERE entry_id IN (SELECT value FROM json_each(:ids))
ORDER BY entry_id, position
