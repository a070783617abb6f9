-- A row is a tagged interval that matches the filters. `$tag`, `$project` and `$text` are each null or a part of the
-- full tag, and case is ignored. `$text` also matches the tag's note. A tag has no application, site or document. If a
-- filter for one of these is set, a row is the part of the tag during matching active time. In this case, `$text` can
-- match any name or text in the active time.

-- This file replaces the function `tags_in`. In this file, the original function has the name `unfiltered_tags_in`.
WITH matching AS (
    SELECT
        *,
        $application IS NOT NULL OR $site IS NOT NULL OR $document IS NOT NULL AS is_of_active_time
    FROM unfiltered_tags_in($start, $end)
    WHERE ($tag IS NULL OR contains(lower(tag), lower($tag)))
        AND ($project IS NULL OR contains(lower(tag), lower($project)))
),
active AS (
    SELECT unnest(interval_union(start_local, start_utc, end_local, end_utc)) AS part
    FROM role_pieces('applications', $start, $end)
),
parts AS (
    SELECT tag, color, path, is_billable, notes, start_local, start_utc, end_local, end_utc
    FROM matching
    WHERE NOT is_of_active_time
        AND ($text IS NULL OR contains(lower(concat_ws(chr(10), tag, notes)), lower($text)))
    UNION ALL
    SELECT
        tag,
        color,
        path,
        is_billable,
        notes,
        CASE WHEN start_utc >= part['start_utc'] THEN start_local ELSE part['start_local'] END,
        greatest(start_utc, part['start_utc']),
        CASE WHEN end_utc <= part['end_utc'] THEN end_local ELSE part['end_local'] END,
        least(end_utc, part['end_utc'])
    FROM matching
    INNER JOIN active ON start_utc < part['end_utc'] AND end_utc > part['start_utc']
    WHERE is_of_active_time
)
SELECT
    tag,
    color,
    path,
    is_billable,
    notes,
    start_local,
    start_utc,
    end_local,
    end_utc,
    to_unixtime(end_utc) - to_unixtime(start_utc) AS seconds
FROM parts
