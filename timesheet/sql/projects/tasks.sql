-- The tasks of a project, in the order in which they are shown: those of former times last.
SELECT name, is_active FROM tasks WHERE project_code = :project ORDER BY is_active DESC, position, name
