-- A row is a timeline with the first and last local instant of which it can tell something. Nothing is counted, so that
-- it can be asked again and again.
SELECT timeline_id, role, device, first_local, last_local
FROM recorded_bounds
ORDER BY timeline_id
