-- A row is an application with its active seconds that no rule matches and no tag covers. The application with the most
-- seconds comes first (docs/spec/time.md#pieces-by-rule).
SELECT application, key, seconds, titles
FROM unmatched($start, $end)
ORDER BY seconds DESC, application, key
