-- The entries that have a day from a first to a last, which is one of them, without their tags: the first that was logged
-- comes first. The plus signs keep the index by start from those that start long before.
SELECT
    id, project_code, task, issue_id, standard_hundredths, overtime_hundredths, description, start_date,
    completion_date, status, decline_comment, created_at, updated_at
FROM entries
WHERE
    start_date BETWEEN :first AND :last
    OR (start_date < completion_date AND completion_date >= :first AND +start_date <= :last)
ORDER BY created_at, id
