-- Returns the allowed values for a project's tag, in display order.
SELECT value FROM project_tag_values WHERE project_code = :project AND tag = :tag ORDER BY position
