-- One row: the local time from which every applications timeline has activities, for one device or all. Older
-- activities may have been deleted while their hourly totals remain. The value is null if a timeline has no
-- activities (docs/spec/time.md#retention).
SELECT CASE WHEN bool_or(first_local IS NULL) THEN NULL ELSE max(first_local) END AS first_kept
FROM timeline_bounds
WHERE role = 'applications' AND ($device IS NULL OR device = $device)
