-- Inserts or replaces a project.
INSERT INTO projects (code, name, is_active) VALUES (:code, :name, :is_active)
ON CONFLICT (code) DO UPDATE SET name = excluded.name, is_active = excluded.is_active
