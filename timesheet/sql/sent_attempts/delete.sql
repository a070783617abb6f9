-- What a key has booked is known: there is nothing to recognise any more.
DELETE FROM sendings WHERE key = :key
