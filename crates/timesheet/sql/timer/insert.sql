-- Starts work. Fails if work is already running, because the table has at most one row.
INSERT INTO running (place, project_code, task, description, since)
VALUES (1, :project, :task, :description, :since)
