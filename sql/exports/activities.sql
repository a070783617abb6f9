-- A row is an activity that starts in [$start, $end) and ends after `$after`, in order of time. `rule_text` lists the
-- numbers of the rule conditions that the row meets. The list has two parts: the conditions of rules for work, then
-- `|`, then the conditions of rules for calls.
WITH candidates AS (
    SELECT
        timeline_id,
        activity_id,
        CASE role WHEN 'applications' THEN 'piece' WHEN 'documents' THEN 'document' ELSE 'website' END AS kind,
        device,
        name,
        key,
        rule_text
    FROM recorded_activities
    WHERE start_local >= $start AND start_local < $end AND end_local > $after
    UNION ALL
    SELECT timeline_id, activity_id, 'tag', NULL, tag, NULL, NULL
    FROM tags
    WHERE start_local >= $start AND start_local < $end AND end_local > $after
),
outcomes AS (
    SELECT
        timeline_id,
        activity_id,
        array_to_string(array_agg(rule_conditions(kind, device, name, key, rule_text) ORDER BY kind), ' ') AS work_numbers,
        array_to_string(array_agg(call_conditions(kind, device, name, key, rule_text) ORDER BY kind), ' ') AS call_numbers
    FROM candidates
    GROUP BY timeline_id, activity_id
)
SELECT
    activities.timeline_id,
    activities.activity_id,
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
    state,
    is_billable,
    notes,
    related_activity_id,
    start_local,
    start_utc,
    end_local,
    end_utc,
    seconds,
    NULLIF(concat(trim(work_numbers), '|', trim(call_numbers)), '|') AS rule_text
FROM activities
LEFT JOIN outcomes
    ON activities.timeline_id = outcomes.timeline_id AND activities.activity_id = outcomes.activity_id
WHERE start_local >= $start AND start_local < $end AND end_local > $after
ORDER BY start_local, activities.timeline_id, activities.activity_id
