-- Deletes the files, sites and applications of a deleted entry.
DELETE FROM known_by WHERE entry_id = :entry
