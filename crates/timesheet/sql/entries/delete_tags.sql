-- Deletes all tags of an entry before they are replaced.
DELETE FROM entry_tags WHERE entry_id = :entry
