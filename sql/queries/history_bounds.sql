-- A row is a timeline with the first and last local time for which the timeline has data. Activities are not counted,
-- so that the query is cheap enough to repeat often.
SELECT timeline_id, role, device, first_local, last_local
FROM recorded_bounds
ORDER BY timeline_id
