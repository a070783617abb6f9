-- A row is a document activity that is not a website. `path` is the file as recorded. `document` is its URI, if the
-- path is a drive or UNC path. `related_activity_id` is the linked application activity of the same device
-- (docs/spec/time.md#documents-and-websites).
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
