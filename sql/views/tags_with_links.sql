-- A row is a tagged interval. This file replaces `tags.sql` for histories that also link tags to single activities
-- (`Ar_Tag`, `Ar_ActivityTag`). In such a history, a linked activity of any timeline is also tagged time
-- (docs/spec/time.md#tags).
SELECT
    timeline_id,
    activity_id,
    device,
    CASE WHEN linked_tags IS NULL THEN name ELSE array_to_string(linked_tags, ', ') END AS tag,
    CASE WHEN linked_tags IS NULL THEN key ELSE array_to_string(linked_tags, ', ') END AS key,
    CASE WHEN role = 'tags' THEN color END AS color,
    COALESCE(linked_tags, tag_path) AS path,
    is_billable,
    notes,
    start_local,
    start_utc,
    end_local,
    end_utc,
    seconds,
    rule_text
FROM activities
WHERE (role = 'tags' OR linked_tags IS NOT NULL) AND seconds > 0
