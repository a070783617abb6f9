-- A row is an application, document or website (`$role`) with its active seconds in the range, each counted once over
-- all devices, most first (semantics, sections 3 and 6). One-character sites are noise from misread paths and not listed.
SELECT
    ranked_by_weight(name, seconds, start_utc)[1] AS name,
    ranked_by_weight(color, seconds, start_utc)[1] AS color,
    union_seconds(start_utc, end_utc) AS seconds
FROM pieces_of($role, $start, $end)
WHERE ($device IS NULL OR device = $device) AND ($role <> 'websites' OR character_length(name) > 1)
GROUP BY key
ORDER BY seconds DESC, name
LIMIT 50
