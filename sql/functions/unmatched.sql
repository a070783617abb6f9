-- A row is an application with its active seconds that no rule matches and no tag covers
-- (docs/spec/time.md#pieces-by-rule). Each second counts once over all devices. `titles` lists the titles with the most
-- seconds, at most three.
SELECT
    ranked_by_weight(application, seconds, start_utc)[1] AS application,
    key,
    union_seconds(start_utc, end_utc) AS seconds,
    array_slice(ranked_by_weight(title, seconds, start_utc), 1, 3) AS titles
FROM pieces_by_rule($start, $end)
WHERE rule IS NULL AND NOT is_tagged
GROUP BY key
