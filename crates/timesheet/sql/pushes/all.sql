-- Returns the rows that a user sent to an account, oldest first.
SELECT row, project_id, task_id, remote_id, sent_at
FROM pushes
WHERE account = :account AND user = :user
ORDER BY sent_at, key
