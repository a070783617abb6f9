-- The attempts of which nobody knows whether they have logged anything, the oldest first.
SELECT key, request, since FROM local_keys WHERE entry_id IS NULL ORDER BY since, key
