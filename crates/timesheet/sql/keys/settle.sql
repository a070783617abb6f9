-- Stores the id of the entry that an attempt logged.
INSERT INTO local_keys (key, entry_id, since) VALUES (:key, :entry, :now)
ON CONFLICT (key) DO UPDATE SET entry_id = excluded.entry_id, request = NULL
