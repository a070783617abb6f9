-- A row is a part of a piece of the role `$role`. During this part, all filters match on the device of the piece. The
-- filters are `$application`, `$site`, `$document`, `$tag`, `$project` and `$text`. Each filter is null or a part of a
-- name, and case is ignored. For time without a tag, `$project` also matches the project, task or category of a rule.
-- `$text` matches any of these names, and also titles, URLs and the notes of tags. A document or site matches only
-- during its own pieces. Its matching time is therefore equal to its total in the top lists.

-- This file replaces the function `role_pieces`. In this file, the original function has the name
-- `unfiltered_role_pieces`. Each branch of `UNION ALL` limits the range itself.
WITH condition_candidates AS (
    SELECT
        'piece' AS kind,
        device,
        concat_ws(
            ' ',
            CASE WHEN $application IS NULL OR contains(lower(application), lower($application)) THEN '1' END,
            CASE WHEN $site IS NULL THEN '2' END,
            CASE WHEN $document IS NULL THEN '3' END,
            CASE WHEN $tag IS NULL THEN '4' END,
            CASE
                WHEN $project IS NULL
                    OR NOT is_tagged
                    AND contains(lower(concat_ws(chr(10), project, task, category)), lower($project)) THEN '5'
            END,
            CASE
                WHEN $text IS NULL
                    OR contains(lower(concat_ws(chr(10), application, title, project, task, category)), lower($text))
                    THEN '6'
            END
        ) AS fulfilled,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM unfiltered_pieces_by_rule($start, $end)
    UNION ALL
    SELECT
        'document',
        device,
        concat_ws(
            ' ',
            CASE WHEN contains(lower(concat_ws(chr(10), name, title)), lower($document)) THEN '3' END,
            CASE WHEN contains(lower(concat_ws(chr(10), name, title)), lower($text)) THEN '6' END
        ),
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM unfiltered_role_pieces('documents', $start, $end)
    UNION ALL
    SELECT
        'website',
        device,
        concat_ws(
            ' ',
            CASE WHEN contains(lower(name), lower($site)) THEN '2' END,
            CASE WHEN contains(lower(concat_ws(chr(10), name, title)), lower($text)) THEN '6' END
        ),
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM unfiltered_role_pieces('websites', $start, $end)
    UNION ALL
    -- A tag applies to the time on every device.
    SELECT
        'tag',
        NULL,
        concat_ws(
            ' ',
            CASE WHEN contains(lower(tag), lower($tag)) THEN '4' END,
            CASE WHEN contains(lower(tag), lower($project)) THEN '5' END,
            CASE WHEN contains(lower(concat_ws(chr(10), tag, notes)), lower($text)) THEN '6' END
        ),
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM tags
    WHERE start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
),
-- The time during which all filters match. For `split_by_rule`, the six filters are the conditions of a single rule.
matching AS (
    SELECT
        device,
        unnest(
            split_by_rule(
                kind, device, NULL, fulfilled, start_local, start_utc, end_local, end_utc, '1 2 3 4 5 6'
            ) OVER ()
        ) AS part
    FROM condition_candidates
),
candidates AS (
    SELECT
        'activity' AS kind,
        device,
        activity_id,
        timeline_id,
        name,
        key,
        color,
        title,
        rule_text,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM unfiltered_role_pieces($role, $start, $end)
    UNION ALL
    SELECT
        'active',
        device,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        part['start_local'],
        part['start_utc'],
        part['end_local'],
        part['end_utc']
    FROM matching
    WHERE part['rule'] IS NOT NULL
    UNION ALL
    SELECT DISTINCT 'tracked', device, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM timelines
),
clipped AS (
    SELECT
        device,
        timeline_id,
        activity_id,
        name,
        key,
        color,
        title,
        rule_text,
        unnest(
            clip_to_active(
                kind, device, activity_id, timeline_id, start_local, start_utc, end_local, end_utc, $start, $end
            ) OVER ()
        ) AS piece
    FROM candidates
)
SELECT
    device,
    timeline_id,
    activity_id,
    name,
    key,
    color,
    title,
    rule_text,
    piece['start_local'] AS start_local,
    piece['start_utc'] AS start_utc,
    piece['end_local'] AS end_local,
    piece['end_utc'] AS end_utc,
    to_unixtime(piece['end_utc']) - to_unixtime(piece['start_utc']) AS seconds
FROM clipped
