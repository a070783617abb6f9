-- Returns the attempt that was sent for a key.
SELECT owner, known, sent_at FROM sendings WHERE key = :key
