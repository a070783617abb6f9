-- Deletes all tags of a project and their allowed values before its current tags are stored.
DELETE FROM project_tags WHERE project_code = :project
