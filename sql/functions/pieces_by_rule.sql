-- A row is a part of an application's piece in which one rule, or no rule, applies (docs/spec/time.md#pieces-by-rule).
-- A piece is split if a linked document, a linked site or a tag changes the matching rule. It is also split at the
-- start and end of tagged time. `rule` is the first rule that matches, and `category`, `project` and `task` are the
-- values of this rule. All four columns are null if no rule matches. `shadowed` lists the numbers of later rules that
-- also match at any time in the part.
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
