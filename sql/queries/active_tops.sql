-- A row is an application, document or website (`$role`) with its active seconds in the range, most first (semantics,
-- section 6); the caller cuts the list. One-character sites are noise from misread paths and not listed.
SELECT
    ranked_by_weight(name, seconds, start_utc)[1] AS name,
    ranked_by_weight(color, seconds, start_utc)[1] AS color,
    sum(seconds) AS seconds
FROM pieces_of($role, $start, $end)
WHERE ($device IS NULL OR device = $device) AND ($role <> 'websites' OR character_length(name) > 1)
GROUP BY key
ORDER BY seconds DESC, name
