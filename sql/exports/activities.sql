-- The activities that start in [$start, $end) and end after `$after`, in order of time.
SELECT
    timeline_id,
    activity_id,
    role,
    device,
    is_tracked,
    name,
    title,
    key,
    color,
    group_name,
    group_key,
    group_color,
    group_type,
    common_name,
    tag_path,
    linked_tags,
    is_active,
    is_billable,
    notes,
    related_activity_id,
    start_local,
    start_utc,
    end_local,
    end_utc,
    seconds
FROM activities
WHERE start_local >= $start AND start_local < $end AND end_local > $after
ORDER BY start_local, timeline_id, activity_id
