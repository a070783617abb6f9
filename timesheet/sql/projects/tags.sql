-- The tags of a project, in the order in which they are shown.
SELECT name, is_required, is_active FROM project_tags WHERE project_code = :project ORDER BY position
