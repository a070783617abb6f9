-- Inserts a tag of a project. The earlier tags of the project have already been deleted.
INSERT INTO project_tags (project_code, name, position, is_required, is_active)
VALUES (:project, :name, :position, :is_required, :is_active)
