-- One row: the first local time of an activity of the role `$role`. A query for the first rows of a long range starts
-- at this time.
SELECT min(first_local) AS beginning
FROM timeline_bounds
WHERE role = $role
