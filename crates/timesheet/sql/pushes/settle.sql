-- Stores the ID of the tracker's entry for a row.
UPDATE pushes SET remote_id = :remote_id WHERE account = :account AND user = :user AND key = :key
