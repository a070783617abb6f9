-- A row is a tagged stretch of time: `tag` is the full list as ManicTime shows it, `path` its parts in order, since a
-- part may hold a comma itself. Tags are the person's, not a device's (docs/spec/time.md#tags).
SELECT
    timeline_id,
    activity_id,
    device,
    name AS tag,
    key,
    color,
    tag_path AS path,
    is_billable,
    notes,
    start_local,
    start_utc,
    end_local,
    end_utc,
    seconds,
    rule_text
FROM activities
WHERE role = 'tags' AND seconds > 0
