-- A row is an application, document or website activity with its display name and its unique key
-- (docs/spec/time.md#names). An application without a group and a document without a name are called `Unknown`. A
-- website without a group is named after its host. `rule_text` is a text that rules read in addition to the name. In an
-- export, `rule_text` lists the numbers of the conditions that the row meets. `is_tracked` shows whether the device has
-- a computer-usage timeline. Activities without a duration are left out (docs/spec/time.md#whole-seconds). The views
-- `applications`, `documents` and `websites` read from this view.
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
