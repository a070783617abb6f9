-- All tags of an entry, before others take their place.
DELETE FROM entry_tags WHERE entry_id = :entry
