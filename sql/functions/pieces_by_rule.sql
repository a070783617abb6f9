-- A row is a part of a piece of an application of which the user's rules say one thing
-- (docs/spec/time.md#pieces-by-rule). It is cut where a document or site that belongs to it, or a tag, changes which rule
-- fits or whether it is tagged. `rule` is the first rule that fits, `category`, `project` and `task` what it sets; all
-- are null where none does. `shadowed` are the numbers of later rules that fit somewhere in it too.
WITH parts AS (
    SELECT
        device,
        timeline_id,
        activity_id,
        name,
        key,
        color,
        title,
        unnest(
            split_by_rule(
                kind, device, activity_id, conditions, start_local, start_utc, end_local, end_utc, rule_needs()
            ) OVER ()
        ) AS part
    FROM rule_candidates($start, $end)
),
parts_with_rules AS (
    SELECT *, rule_fields(part['rule']) AS rule_fields
    FROM parts
)
SELECT
    device,
    timeline_id,
    activity_id,
    name AS application,
    key,
    color,
    title,
    part['start_local'] AS start_local,
    part['start_utc'] AS start_utc,
    part['end_local'] AS end_local,
    part['end_utc'] AS end_utc,
    to_unixtime(part['end_utc']) - to_unixtime(part['start_utc']) AS seconds,
    part['tagged'] AS is_tagged,
    part['rule'] AS rule_number,
    rule_fields['rule'] AS rule,
    rule_fields['category'] AS category,
    rule_fields['project'] AS project,
    rule_fields['task'] AS task,
    part['shadowed'] AS shadowed
FROM parts_with_rules
