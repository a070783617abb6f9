-- A row is a text that a new rule could match, in one application (docs/spec/time.md#proposed-rules). It contains the
-- active seconds of the text in the application. Each second counts once over all devices. The text is a linked site or
-- path, or the application's name. For a window without a linked site or path, it can also be the beginning of the
-- title. If no rule matches the time and no tag covers it, `project` is null. Otherwise, `project` is the first level
-- of the tag, or the project of the rule if there is no tag.
--
-- Pieces and tags are split at the hours of UTC, and joined by hour. Without the hours, the join would compare every
-- piece with every tag.
WITH split_pieces AS (
    SELECT
        device,
        activity_id,
        application,
        key,
        title,
        project,
        is_tagged,
        unnest(split_hours(start_utc, start_utc, end_utc, end_utc)) AS part
    FROM pieces_by_rule($start, $end)
    WHERE is_tagged OR rule_number IS NULL OR project IS NOT NULL
),
split_tags AS (
    SELECT COALESCE(path[1], tag) AS client, unnest(split_hours(start_utc, start_utc, end_utc, end_utc)) AS part
    FROM tags_in($start, $end)
),
pieces AS (
    SELECT
        *,
        date_trunc('hour', part['start_utc']) AS hour,
        part['start_utc'] AS start_utc,
        part['end_utc'] AS end_utc
    FROM split_pieces
),
tagged AS (
    SELECT
        client,
        date_trunc('hour', part['start_utc']) AS hour,
        part['start_utc'] AS start_utc,
        part['end_utc'] AS end_utc
    FROM split_tags
),
parts AS (
    SELECT
        pieces.device,
        pieces.activity_id,
        pieces.application,
        pieces.key,
        pieces.title,
        CASE WHEN pieces.is_tagged THEN tagged.client ELSE pieces.project END AS project,
        greatest(pieces.start_utc, tagged.start_utc) AS start_utc,
        least(pieces.end_utc, tagged.end_utc) AS end_utc
    FROM pieces
    LEFT JOIN tagged
        ON pieces.hour = tagged.hour
        AND pieces.start_utc < tagged.end_utc
        AND pieces.end_utc > tagged.start_utc
    WHERE NOT pieces.is_tagged OR tagged.client IS NOT NULL
),
linked_items AS (
    SELECT 'site' AS word, device, related_activity_id, site AS text, start_utc, end_utc
    FROM websites
    -- Site names of one character come from misread paths, so they are left out.
    WHERE character_length(site) > 1
        AND start_local < $end + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    SELECT 'path', device, related_activity_id, path, start_utc, end_utc
    FROM documents
    WHERE start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
),
titled AS (
    SELECT
        parts.application,
        parts.key,
        parts.project,
        parts.title,
        regexp_replace(parts.title, '( [-–—|·] |: ).*$', '') AS beginning,
        parts.start_utc,
        parts.end_utc
    FROM parts
    LEFT ANTI JOIN linked_items
        ON parts.device = linked_items.device
        AND parts.activity_id = linked_items.related_activity_id
),
words AS (
    SELECT 'app' AS word, application AS text, application, key, project, start_utc, end_utc
    FROM parts
    WHERE project IS NULL
    UNION ALL
    SELECT 'title', beginning, application, key, project, start_utc, end_utc
    FROM titled
    WHERE beginning <> title AND character_length(beginning) > 2
    UNION ALL
    SELECT
        linked_items.word,
        linked_items.text,
        parts.application,
        parts.key,
        parts.project,
        greatest(parts.start_utc, linked_items.start_utc),
        least(parts.end_utc, linked_items.end_utc)
    FROM parts
    INNER JOIN linked_items
        ON parts.device = linked_items.device
        AND parts.activity_id = linked_items.related_activity_id
        AND parts.start_utc < linked_items.end_utc
        AND parts.end_utc > linked_items.start_utc
)
SELECT word, text, application, key, project, union_seconds(start_utc, end_utc) AS seconds
FROM words
WHERE text IS NOT NULL
GROUP BY word, text, application, key, project
ORDER BY word, text, application, key, project
