-- A row is an application, document or website activity with its display name and the key that tells it apart
-- (docs/spec/time.md#names). An application without a group is `Unknown`, and so is a document without any name; a
-- website without a group is named by its host. `rule_text` is what rules read of it besides names, in an export the
-- numbers of the conditions that it fulfils. `is_tracked` tells whether the device has a computer-usage timeline.
-- Activities without extent are left out (docs/spec/time.md#whole-seconds). The other views of these roles read from
-- here.
SELECT
    role,
    timeline_id,
    activity_id,
    device,
    is_tracked,
    CASE role
        WHEN 'applications' THEN COALESCE(common_name, group_name, 'Unknown')
        WHEN 'websites' THEN COALESCE(common_name, group_name, site(name), name)
        ELSE COALESCE(name, 'Unknown')
    END AS name,
    CASE role
        WHEN 'applications' THEN COALESCE(key, 'Unknown')
        WHEN 'websites' THEN COALESCE(key, site(name), name)
        ELSE COALESCE(key, name, 'Unknown')
    END AS key,
    color,
    title,
    notes,
    related_activity_id,
    start_local,
    start_utc,
    end_local,
    end_utc,
    seconds,
    rule_text
FROM activities
WHERE role IN ('applications', 'documents', 'websites') AND seconds > 0
