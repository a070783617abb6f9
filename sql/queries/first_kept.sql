-- One row: the local instant from which on every applications timeline, of one device or all, has its activities. Older
-- ones may have been deleted while their hourly totals stay; null where a timeline has none at all
-- (docs/spec/time.md#retention).
SELECT CASE WHEN bool_or(first_local IS NULL) THEN NULL ELSE max(first_local) END AS first_kept
FROM timeline_bounds
WHERE role = 'applications' AND ($device IS NULL OR device = $device)
