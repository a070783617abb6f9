-- Removes an entry, and its tags with it.
DELETE FROM entries WHERE id = :id
