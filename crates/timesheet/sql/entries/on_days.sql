-- Returns the entries that overlap a range of days, in the order in which the entries were logged. Both ends of the
-- range are included. Tags are not returned. An entry of several days may start long before the range and is found by
-- its last day. The unary plus keeps SQLite from using the index on the start date instead.
SELECT
    id, project_code, task, issue_id, standard_hundredths, overtime_hundredths, description, start_date,
    completion_date, status, decline_comment, created_at, updated_at
FROM entries
WHERE
    start_date BETWEEN :first AND :last
    OR (start_date < completion_date AND completion_date >= :first AND +start_date <= :last)
ORDER BY created_at, id
