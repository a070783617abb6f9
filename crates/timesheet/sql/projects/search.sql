-- Returns one project, the active projects or all projects, by code.
SELECT code, name, is_active
FROM projects
WHERE (:code IS NULL OR code = :code) AND (is_active OR NOT :active_only)
ORDER BY code
