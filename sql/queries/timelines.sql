-- A row is a timeline.
SELECT timeline_id, name, schema_name, role, device
FROM timelines
ORDER BY timeline_id
