-- Returns the tasks of a project in display order, with inactive tasks last.
SELECT name, is_active FROM tasks WHERE project_code = :project ORDER BY is_active DESC, position, name
