-- A row is an activity of one timeline, in order of start. The activity overlaps the local range, but is not clipped to
-- it.
WITH candidates AS (
    SELECT *, clip_to_range(start_local, start_utc, end_local, end_utc, $start, $end) AS inside
    FROM activities
    WHERE timeline_id = $timeline_id
        AND start_local < $end + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '1 day'
)
SELECT
    COALESCE(title, name) AS name,
    group_name,
    group_color,
    group_key,
    common_name,
    notes,
    state,
    start_local,
    end_local,
    seconds
FROM candidates
WHERE inside IS NOT NULL
ORDER BY start_utc, activity_id
