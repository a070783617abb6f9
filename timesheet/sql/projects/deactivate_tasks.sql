-- All tasks of a project, before those that it has now are put.
UPDATE tasks SET is_active = 0 WHERE project_code = :project
