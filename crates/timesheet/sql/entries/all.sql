-- Returns all entries without their tags, in the order in which the entries were logged.
SELECT
    id, project_code, task, issue_id, standard_hundredths, overtime_hundredths, description, start_date,
    completion_date, status, decline_comment, created_at, updated_at
FROM entries
ORDER BY created_at, id
