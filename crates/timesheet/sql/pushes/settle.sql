-- Stores the ID that the tracker gave a row.
UPDATE pushes SET remote_id = :remote_id WHERE account = :account AND key = :key
