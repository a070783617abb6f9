-- A row is an application, document or website (`$role`) with its active seconds in the range. The row with the most
-- seconds comes first. Each second counts once over all devices (docs/spec/time.md#minutes-that-count-once). The caller
-- shortens the list.
SELECT
    key,
    ranked_by_weight(name, seconds, start_utc)[1] AS name,
    ranked_by_weight(color, seconds, start_utc)[1] AS color,
    union_seconds(start_utc, end_utc) AS seconds
FROM role_pieces($role, $start, $end)
WHERE $device IS NULL OR device = $device
GROUP BY key
ORDER BY seconds DESC, name
