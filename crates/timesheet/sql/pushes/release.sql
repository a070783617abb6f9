-- Deletes a row that did not arrive at the tracker, unless it was sent again since.
DELETE FROM pushes
WHERE account = :account AND user = :user AND key = :key AND sent_at = :sent_at AND remote_id IS NULL
