-- A file, site or application that the time of an entry was spent on.
INSERT INTO known_by (entry_id, by, text, seconds)
VALUES (:entry, :by, :text, :seconds)
