-- All tags of a project and what they can be, before those that it has now are put.
DELETE FROM project_tags WHERE project_code = :project
