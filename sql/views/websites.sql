-- A row is a website activity with its `site` (the group's name, or otherwise the host) and its `url`.
-- `related_activity_id` is the linked application activity of the same device
-- (docs/spec/time.md#documents-and-websites).
SELECT
    timeline_id,
    activity_id,
    device,
    name AS site,
    title AS url,
    key,
    color,
    related_activity_id,
    start_local,
    start_utc,
    end_local,
    end_utc,
    seconds
FROM recorded_activities
WHERE role = 'websites'
