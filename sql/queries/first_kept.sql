-- One row: the local start of the first application activity in the file. Older ones may have been deleted while their
-- hourly totals stay (semantics, section 6).
SELECT min(first_local) AS first_kept
FROM timeline_extents
WHERE role = 'applications'
