-- The tags of the entries of a JSON list, in the order in which they were given.
SELECT entry_id, name, value
FROM entry_tags
WHERE entry_id IN (SELECT value FROM json_each(:ids))
ORDER BY entry_id, position
