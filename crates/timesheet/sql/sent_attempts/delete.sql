-- Deletes a sent attempt, because the entry of its key is now known.
DELETE FROM sendings WHERE key = :key
