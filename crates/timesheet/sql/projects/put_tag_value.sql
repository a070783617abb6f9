-- Inserts an allowed value for a tag of a project.
INSERT INTO project_tag_values (project_code, tag, position, value) VALUES (:project, :tag, :position, :value)
