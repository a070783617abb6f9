-- The projects, by code: one of them, the active ones, or all.
SELECT code, name, is_active
FROM projects
WHERE (:code IS NULL OR code = :code) AND (is_active OR NOT :active_only)
ORDER BY code
