-- One row: the first local time of an activity of the role `$role`. If a query needs only the first rows of a long
-- range, it starts reading at this time.
SELECT min(first_local) AS beginning
FROM timeline_bounds
WHERE role = $role
