-- A row is a piece of an application activity: its part inside the local range [$start, $end) during which its device
-- was actively used (semantics, section 3), or in a call where these count (section 9). The union of the pieces is the active time.
SELECT
    device,
    activity_id,
    name AS application,
    key,
    color,
    title,
    start_local,
    start_utc,
    end_local,
    end_utc,
    seconds
FROM pieces_of('applications', $start, $end)
