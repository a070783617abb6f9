-- A row is a rule, in order of the configuration, with the active seconds in the range to which the rule applies. Each
-- second counts once over all devices (docs/spec/time.md#first-match). A rule can match time to which only earlier
-- rules apply. In this case, `shadowed_by` is the earlier rule that applies to most of this time. `call` shows whether
-- the rule marks calls. `call_seconds` is the time of calls that count while the device is away.
WITH decided_pieces AS (
    SELECT rule_number, shadowed, start_utc, end_utc, seconds
    FROM pieces_by_rule($start, $end)
    WHERE rule_number IS NOT NULL
),
decided AS (
    SELECT rule_number, union_seconds(start_utc, end_utc) AS seconds
    FROM decided_pieces
    GROUP BY rule_number
),
also_matching AS (
    SELECT unnest(shadowed) AS number, rule_number, seconds
    FROM decided_pieces
),
shadows AS (
    SELECT number, rule_number, sum(seconds) AS seconds
    FROM also_matching
    GROUP BY number, rule_number
),
shadowed AS (
    SELECT number, first_value(rule_number ORDER BY seconds DESC, rule_number) AS rule_number
    FROM shadows
    GROUP BY number
),
calls AS (
    SELECT rule, clip_to_range(start_local, start_utc, end_local, end_utc, $start, $end) AS inside
    FROM calls_around($start, $end)
),
called AS (
    SELECT rule, union_seconds(inside['start_utc'], inside['end_utc']) AS seconds
    FROM calls
    WHERE inside IS NOT NULL
    GROUP BY rule
)
SELECT
    rules.number,
    rules.rule,
    rules.category,
    rules.project,
    rules.task,
    rules.call,
    COALESCE(decided.seconds, 0) AS seconds,
    COALESCE(called.seconds, 0) AS call_seconds,
    CASE WHEN decided.seconds IS NULL THEN shadowed.rule_number END AS shadowed_by
FROM rules
LEFT JOIN decided ON rules.number = decided.rule_number
LEFT JOIN shadowed ON rules.number = shadowed.number
LEFT JOIN called ON rules.call AND rules.rule = called.rule
ORDER BY rules.number
