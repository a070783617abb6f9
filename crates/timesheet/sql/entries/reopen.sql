-- Reopens the submitted entries that start in a week.
UPDATE entries
SET status = 'NOT_REPORTED', decline_comment = NULL, updated_at = :now
WHERE status = 'SUBMITTED' AND start_date BETWEEN :first AND :last
RETURNING id
