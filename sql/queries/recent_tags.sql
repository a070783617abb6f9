-- A row is a tag with time in the local range [$start, $end), and its first level. For most people, the first level is a
-- client. The tag that was used last comes first.
SELECT tag, min(COALESCE(path[1], tag)) AS client
FROM tags
WHERE start_local < $end AND end_local > $start AND tag IS NOT NULL
GROUP BY tag
ORDER BY max(end_local) DESC, tag
