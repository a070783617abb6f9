-- Marks all tasks of a project as inactive before its current tasks are stored.
UPDATE tasks SET is_active = 0 WHERE project_code = :project
