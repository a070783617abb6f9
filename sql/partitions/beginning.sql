-- One row: the first local instant of an activity of the role `$role`, for who wants the first rows of a long range.
SELECT min(first_local) AS beginning
FROM timeline_bounds
WHERE role = $role
