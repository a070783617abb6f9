-- `:ids` is a JSON list of entries' ids. Returns the ids of those entries that were logged under a key of this store.
SELECT entry_id FROM local_keys WHERE entry_id IN (SELECT value FROM json_each(:ids))
