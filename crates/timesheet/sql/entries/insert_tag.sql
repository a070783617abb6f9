-- Inserts one tag of an entry.
INSERT INTO entry_tags (entry_id, position, name, value, folded_name, folded_value)
VALUES (:entry, :position, :name, :value, :folded_name, :folded_value)
