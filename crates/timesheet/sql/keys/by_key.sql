-- Returns the attempt with the given key.
SELECT entry_id, request FROM local_keys WHERE key = :key
