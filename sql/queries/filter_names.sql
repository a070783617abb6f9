-- A row is a name that a filter of the kind `$kind` can match in the local range [$start, $end). The name can be an
-- application, a site, a document or a tag, or the project, task or category of a rule. If a name contains
-- `$search_text`, `is_match` is true. These names come first. Names with equal `is_match` are in order of recorded
-- time, the most time first. `words` is the name. For a tag, `words` contains each level of the tag on its own line.
-- `last_local` is the local end of the last match. A text filter matches names of all kinds, and also titles, URLs,
-- paths and notes (decision 0015).
WITH named AS (
    SELECT
        CASE role WHEN 'applications' THEN 'application' WHEN 'websites' THEN 'site' ELSE 'document' END AS kind,
        name,
        name AS words,
        title AS other_text,
        seconds,
        end_local
    FROM recorded_activities
    WHERE start_local < $end AND end_local > $start
    UNION ALL
    SELECT 'tag', tag, COALESCE(array_to_string(path, chr(10)), tag), notes, seconds, end_local
    FROM tags
    WHERE start_local < $end AND end_local > $start
    UNION ALL
    SELECT 'project', project, project AS words, NULL, 0, NULL
    FROM rules
    UNION ALL
    SELECT 'project', task, task AS words, NULL, 0, NULL
    FROM rules
    UNION ALL
    SELECT 'project', category, category AS words, NULL, 0, NULL
    FROM rules
),
candidates AS (
    SELECT
        kind,
        name,
        words,
        seconds,
        end_local,
        COALESCE(contains(lower(name), lower($search_text)), FALSE)
        OR ($kind = 'text' OR kind = 'document') AND COALESCE(contains(lower(other_text), lower($search_text)), FALSE) AS matches
    FROM named
    WHERE kind = $kind OR $kind = 'text' OR ($kind = 'project' AND kind = 'tag')
)
SELECT
    first_value(words ORDER BY end_local) AS words,
    bool_or(matches) AS is_match,
    max(end_local) FILTER (WHERE matches) AS last_local
FROM candidates
WHERE name IS NOT NULL
GROUP BY kind, name
ORDER BY is_match DESC, sum(seconds) DESC, name
