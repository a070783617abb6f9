-- Work that begins, where none goes on.
INSERT INTO running (place, project_code, task, description, issue_id, since)
VALUES (1, :project, :task, :description, :issue, :since)
