-- Work that begins, where none goes on.
INSERT INTO running (place, project_code, task, description, since)
VALUES (1, :project, :task, :description, :since)
