-- A row is a timeline with its number of activities, and the first and last local time for which the timeline has data.
SELECT timeline_id, role, device, activities, first_local, last_local
FROM recorded_bounds
ORDER BY timeline_id
