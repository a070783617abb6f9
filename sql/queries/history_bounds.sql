-- A row is a timeline with the first and last local time for which the timeline has data. Activities are not counted,
-- because this query runs often and must be fast.
SELECT timeline_id, role, device, first_local, last_local
FROM recorded_bounds
ORDER BY timeline_id
