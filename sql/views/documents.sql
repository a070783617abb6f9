-- A row is an activity of a documents timeline that is not a website: a file, as recorded in `path`, and as a URI in
-- `document` where it is a drive or UNC path. `related_activity_id` is the application activity of the same device that
-- it belongs to (docs/spec/time.md#documents-and-websites).
SELECT
    timeline_id,
    activity_id,
    device,
    name AS file,
    title AS path,
    file_uri(title) AS document,
    key,
    color,
    related_activity_id,
    start_local,
    start_utc,
    end_local,
    end_utc,
    seconds
FROM recorded_activities
WHERE role = 'documents'
