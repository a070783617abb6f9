-- Deletes an attempt that logged no entry.
DELETE FROM local_keys WHERE key = :key AND entry_id IS NULL
