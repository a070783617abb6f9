-- A row is an application with the active seconds that neither a rule nor a tag covers. The application with the most
-- seconds comes first (docs/spec/time.md#pieces-by-rule).
SELECT application, key, seconds, titles
FROM unmatched($start, $end)
ORDER BY seconds DESC, application, key
