-- A row is an activity of an applications timeline: one application and one window title during one interval. The names
-- of timestamps show whether they are local or UTC. `seconds` is measured in UTC.
SELECT
    timeline_id,
    activity_id,
    device,
    name AS application,
    key,
    color,
    title,
    start_local,
    start_utc,
    end_local,
    end_utc,
    seconds,
    notes
FROM recorded_activities
WHERE role = 'applications'
