-- What a key has logged is known: there is nothing to recognise any more.
DELETE FROM sendings WHERE key = :key
