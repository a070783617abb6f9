-- A row is a timeline with the first and last local instant of which it can tell something, and its activities' number.
SELECT timeline_id, role, device, activities, first_local, last_local
FROM recorded_bounds
ORDER BY timeline_id
