-- A row is an activity that is a website: its `site` (the group's name, else the host) and its `url`.
-- `related_activity_id` is the application activity of the same device that it belongs to
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
