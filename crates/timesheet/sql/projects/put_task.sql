-- Inserts or replaces a task.
INSERT INTO tasks (project_code, name, position, is_active) VALUES (:project, :name, :position, :is_active)
ON CONFLICT (project_code, name) DO UPDATE SET position = excluded.position, is_active = excluded.is_active
