-- A row is a tagged interval. `tag` is the full list as the tracker shows it. `path` contains its parts in order,
-- because a part can contain a comma. Tags belong to a person and apply to every device (docs/spec/time.md#tags).
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
