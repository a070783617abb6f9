-- An entry that is removed covers nothing.
DELETE FROM evidence WHERE entry_id = :entry
