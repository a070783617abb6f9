-- Deletes the evidence of a deleted entry.
DELETE FROM evidence WHERE entry_id = :entry
