-- A row is a name of an application, a website or a tag that was recorded in the local range [$start, $end), or the
-- project of a rule (docs/spec/time.md#filters). A tag has a row for each of its levels. The name contains
-- `$search_text`, ignoring case. `last_local` is the local end of the last time with this name. It is null for the
-- project of a rule that isn't also a tag. The names that were used last come first.
WITH named AS (
    SELECT name, end_local
    FROM recorded_activities
    WHERE role IN ('applications', 'websites') AND start_local < $end AND end_local > $start
    UNION ALL
    SELECT unnest(COALESCE(path, make_array(tag))), end_local
    FROM tags
    WHERE start_local < $end AND end_local > $start
    UNION ALL
    SELECT project, NULL
    FROM rules
)
SELECT name, max(end_local) AS last_local
FROM named
WHERE contains(lower(name), lower($search_text))
GROUP BY name
ORDER BY last_local DESC NULLS LAST, name
