-- Returns the user who sent the newest row to an account.
SELECT user FROM pushes WHERE account = :account ORDER BY sent_at DESC, user LIMIT 1
