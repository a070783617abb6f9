-- Returns the attempts with an unknown outcome, oldest first.
SELECT key, request, since FROM local_keys WHERE entry_id IS NULL ORDER BY since, key
