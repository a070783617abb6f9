-- A tag of a project, whose tags were taken away before.
INSERT INTO project_tags (project_code, name, position, is_required, is_active)
VALUES (:project, :name, :position, :is_required, :is_active)
