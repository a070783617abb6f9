-- Returns those ids of a JSON list whose entries were logged under a key of this store.
SELECT entry_id FROM local_keys WHERE entry_id IN (SELECT value FROM json_each(:ids))
