-- The attempt with that key.
SELECT entry_id, request FROM local_keys WHERE key = :key
