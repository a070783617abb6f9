-- An attempt that has logged nothing leaves nothing.
DELETE FROM local_keys WHERE key = :key AND entry_id IS NULL
