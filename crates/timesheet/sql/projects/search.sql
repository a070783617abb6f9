-- Returns the project with a given code, or all projects, ordered by code. Inactive projects can be left out.
SELECT code, name, is_active
FROM projects
WHERE (:code IS NULL OR code = :code) AND (is_active OR NOT :active_only)
ORDER BY code
