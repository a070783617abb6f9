-- What a tag of a project can be, in the order in which it is shown.
SELECT value FROM project_tag_values WHERE project_code = :project AND tag = :tag ORDER BY position
