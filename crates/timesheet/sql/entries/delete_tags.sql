-- Deletes all tags of an entry before its new tags are inserted.
DELETE FROM entry_tags WHERE entry_id = :entry
