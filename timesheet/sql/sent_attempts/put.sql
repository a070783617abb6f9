-- What is about to be sent for a key, in the place of what was sent for it before.
INSERT INTO sendings (key, owner, known, sent_at) VALUES (:key, :owner, :known, :now)
ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, known = excluded.known, sent_at = excluded.sent_at
