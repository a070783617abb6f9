-- Inserts a file, site or application that was used during the time of an entry.
INSERT INTO known_by (entry_id, by, text, seconds)
VALUES (:entry, :by, :text, :seconds)
