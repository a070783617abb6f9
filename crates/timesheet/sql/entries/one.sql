-- Returns the entry with the given id.
SELECT
    id, project_code, task, issue_id, standard_hundredths, overtime_hundredths, description, start_date,
    completion_date, status, decline_comment, created_at, updated_at
FROM entries
WHERE id = :id
