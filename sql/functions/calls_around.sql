-- A row is an interval of a call that counts as active time although the device is away (docs/spec/time.md#calls). A
-- call counts while the application in front matches a rule with `call = true`. It counts for at most four hours after
-- the last active second. `rule` is the first matching rule. The rows are not clipped to the local range [$start,
-- $end), so they can be up to a day outside of it.
WITH usage AS (
    -- If states overlap, the time belongs to the row that starts later. Active states are left out here, because active
    -- time counts with or without a call.
    SELECT 'activity' AS kind, device, activity_id, timeline_id, state, start_local, start_utc, end_local, end_utc
    FROM computer_usage
    WHERE state <> 'active'
        AND start_local < $end + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    -- A call can count for up to four hours after an active state.
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
    -- Tags belong to a person, so they apply to every device.
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
