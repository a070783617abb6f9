-- Inserts a tag of a project. Its earlier tags were deleted before.
INSERT INTO project_tags (project_code, name, position, is_required, is_active)
VALUES (:project, :name, :position, :is_required, :is_active)
