-- Of an entry that is removed nothing is known.
DELETE FROM known_by WHERE entry_id = :entry
