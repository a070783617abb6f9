-- A row is a timeline with the first and last local instant of its activities and their number.
SELECT timeline_id, role, device, activities, first_local, last_local
FROM timeline_extents
ORDER BY timeline_id
