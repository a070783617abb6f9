-- What a tag of a project can be.
INSERT INTO project_tag_values (project_code, tag, position, value) VALUES (:project, :tag, :position, :value)
