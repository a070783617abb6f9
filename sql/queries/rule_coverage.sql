-- One row with three numbers: the active seconds of the range, the part with a tag, and the part with a tag or a rule.
-- Each second counts once over all devices (docs/spec/time.md#pieces-by-rule).
SELECT
    union_seconds(start_utc, end_utc) AS active,
    union_seconds(start_utc, end_utc) FILTER (WHERE is_tagged) AS tagged,
    union_seconds(start_utc, end_utc) FILTER (WHERE is_tagged OR rule_number IS NOT NULL) AS covered
FROM pieces_by_rule($start, $end)
