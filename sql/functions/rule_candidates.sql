-- A row is an application piece, a document, a website or a tag, with the rule conditions that the row meets.
-- `conditions` lists the numbers of these conditions (docs/spec/time.md#conditions). Documents and websites are read
-- only if a rule has a condition about them.

-- Each branch of `UNION ALL` limits the local range [$start, $end) itself.
WITH candidates AS (
    SELECT
        'piece' AS kind,
        device,
        timeline_id,
        activity_id,
        name,
        key,
        color,
        title,
        rule_text,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM role_pieces('applications', $start, $end)
    UNION ALL
    SELECT 'document', device, NULL, related_activity_id, name, NULL, NULL, title, rule_text, start_local, start_utc, end_local, end_utc
    FROM recorded_activities
    WHERE role = 'documents' AND has_rules_about('document')
        AND start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    SELECT 'website', device, NULL, related_activity_id, name, NULL, NULL, title, rule_text, start_local, start_utc, end_local, end_utc
    FROM recorded_activities
    WHERE role = 'websites' AND has_rules_about('website')
        AND start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    -- Tags belong to a person, so they apply to every device.
    SELECT 'tag', NULL, NULL, NULL, tag, NULL, NULL, NULL, rule_text, start_local, start_utc, end_local, end_utc
    FROM tags
    WHERE start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
)
SELECT *, rule_conditions(kind, device, name, key, rule_text) AS conditions
FROM candidates
