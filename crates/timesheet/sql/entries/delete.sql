-- Deletes an entry together with its tags.
DELETE FROM entries WHERE id = :id
