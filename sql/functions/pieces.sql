-- A row is a piece of an application activity: the part of the activity in the local range [$start, $end) during active
-- use of its device (docs/spec/time.md#pieces). Calls are included if they count as active time
-- (docs/spec/time.md#calls). The union of the pieces is the active time. `rule` is the rule that applies to most of the
-- piece. `category`, `project` and `task` are the values of this rule (docs/spec/time.md#displayed-rule).
WITH with_rule_number AS (
    SELECT
        *,
        main_rule(
            kind, device, activity_id, conditions, start_local, start_utc, end_local, end_utc, rule_needs()
        ) OVER () AS rule_number
    FROM rule_candidates($start, $end)
),
pieces_with_rules AS (
    SELECT *, rule_fields(rule_number) AS rule_fields
    FROM with_rule_number
    WHERE kind = 'piece'
)
SELECT
    device,
    activity_id,
    name AS application,
    key,
    color,
    title,
    start_local,
    start_utc,
    end_local,
    end_utc,
    to_unixtime(end_utc) - to_unixtime(start_utc) AS seconds,
    rule_number,
    rule_fields['rule'] AS rule,
    rule_fields['category'] AS category,
    rule_fields['project'] AS project,
    rule_fields['task'] AS task
FROM pieces_with_rules
