-- Stores a row before it is sent. A stored row with this key is left unchanged.
INSERT INTO pushes (account, user, key, row, project_id, task_id, sent_at)
VALUES (:account, :user, :key, :row, :project, :task, :now)
ON CONFLICT (account, user, key) DO NOTHING
