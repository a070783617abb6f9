-- A row is a stretch of a call that counts though the device is away: nobody touches the keyboard for some time, at
-- most four hours after its last active second, while the application row in front fits a rule that says that it is a
-- call (docs/spec/time.md#calls): `rule` is the first that fits. Rows lie in the local range [$start, $end) or within a
-- day of it and are not cut there: who asks for pieces cuts these.
WITH usage AS (
    -- Where its states overlap, the row that starts later owns the time, but for active ones, which count anyway.
    SELECT 'activity' AS kind, device, activity_id, timeline_id, state, start_local, start_utc, end_local, end_utc
    FROM computer_usage
    WHERE state <> 'active'
        AND start_local < $end + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    -- So long a call may go on after it.
    SELECT
        'active',
        device,
        NULL,
        NULL,
        NULL,
        start_local,
        start_utc,
        end_local + INTERVAL '4 hours',
        end_utc + INTERVAL '4 hours'
    FROM computer_usage
    WHERE state = 'active'
        AND start_local < $end + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '28 hours'
    UNION ALL
    SELECT 'tracked', device, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM timelines
    WHERE role = 'computer_usage'
),
states AS (
    SELECT
        device,
        state,
        unnest(
            clip_to_active(
                kind, device, activity_id, timeline_id, start_local, start_utc, end_local, end_utc, NULL, NULL
            ) OVER ()
        ) AS part
    FROM usage
),
activities AS (
    SELECT
        'activity' AS kind,
        device,
        activity_id,
        timeline_id,
        name,
        key,
        rule_text,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM recorded_activities
    WHERE role = 'applications'
        AND start_local < $end + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    SELECT
        'active',
        device,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        part['start_local'],
        part['start_utc'],
        part['end_local'],
        part['end_utc']
    FROM states
    WHERE state = 'away'
    UNION ALL
    SELECT DISTINCT 'tracked', device, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM timelines
),
fronts AS (
    SELECT
        device,
        activity_id,
        name,
        key,
        rule_text,
        unnest(
            clip_to_active(
                kind, device, activity_id, timeline_id, start_local, start_utc, end_local, end_utc, NULL, NULL
            ) OVER ()
        ) AS part
    FROM activities
),
candidates AS (
    SELECT
        'piece' AS kind,
        device,
        activity_id,
        name,
        key,
        rule_text,
        part['start_local'] AS start_local,
        part['start_utc'] AS start_utc,
        part['end_local'] AS end_local,
        part['end_utc'] AS end_utc
    FROM fronts
    UNION ALL
    SELECT 'document', device, related_activity_id, name, NULL, rule_text, start_local, start_utc, end_local, end_utc
    FROM recorded_activities
    WHERE role = 'documents' AND has_call_rules_about('document')
        AND start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    SELECT 'website', device, related_activity_id, name, NULL, rule_text, start_local, start_utc, end_local, end_utc
    FROM recorded_activities
    WHERE role = 'websites' AND has_call_rules_about('website')
        AND start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    -- Tags are the person's: they belong to every device.
    SELECT 'tag', NULL, NULL, tag, NULL, rule_text, start_local, start_utc, end_local, end_utc
    FROM tags
    WHERE has_call_rules_about('tag')
        AND start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
),
rule_parts AS (
    SELECT
        device,
        unnest(
            split_by_rule(
                kind,
                device,
                activity_id,
                call_conditions(kind, device, name, key, rule_text),
                start_local,
                start_utc,
                end_local,
                end_utc,
                call_needs()
            ) OVER ()
        ) AS part
    FROM candidates
)
SELECT
    device,
    part['start_local'] AS start_local,
    part['start_utc'] AS start_utc,
    part['end_local'] AS end_local,
    part['end_utc'] AS end_utc,
    call_rule(part['rule']) AS rule
FROM rule_parts
WHERE call_rule(part['rule']) IS NOT NULL
