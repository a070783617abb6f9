-- Returns the rows that were sent to an account, oldest first.
SELECT row, remote_id, sent_at FROM pushes WHERE account = :account ORDER BY sent_at, key
