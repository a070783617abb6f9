-- A row is a timeline with the number of its ignored activities, which no total includes. These are activities with an
-- unreadable timestamp, and activities that do not end after their start (docs/spec/time.md#whole-seconds).
SELECT
    timeline_id,
    count(*) FILTER (
        WHERE start_local IS NULL OR start_utc IS NULL OR end_local IS NULL OR end_utc IS NULL
    ) AS unreadable,
    count(*) FILTER (WHERE end_utc <= start_utc) AS without_extent
FROM activities
GROUP BY timeline_id
