-- Stores the attempt that is about to be sent for a key. Replaces an earlier attempt for the same key.
INSERT INTO sendings (key, owner, known, sent_at) VALUES (:key, :owner, :known, :now)
ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, known = excluded.known, sent_at = excluded.sent_at
