-- Returns the tags of a project in display order.
SELECT name, is_required, is_active FROM project_tags WHERE project_code = :project ORDER BY position
