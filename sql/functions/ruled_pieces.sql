-- A row is a part of a piece of an application of which the user's rules say one thing (semantics, section 9). It is cut where
-- a document or site that belongs to it, or a tag, changes which rule fits or whether it is tagged. `rule` is the first rule
-- that fits, `category`, `project` and `task` what it sets; all are null where none does. `shadowed` are the numbers of later
-- rules that fit somewhere in it too. What no rule looks at is not read. Every branch repeats the local range [$start, $end).
WITH candidates AS (
    SELECT
        'piece' AS kind,
        device,
        timeline_id,
        activity_id,
        name,
        key,
        color,
        title,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM pieces_of('applications', $start, $end)
    UNION ALL
    SELECT 'document', device, NULL, related_activity_id, file, NULL, NULL, path, start_local, start_utc, end_local, end_utc
    FROM documents
    WHERE rules_look_at('document')
        AND start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    SELECT 'website', device, NULL, related_activity_id, site, NULL, NULL, url, start_local, start_utc, end_local, end_utc
    FROM websites
    WHERE rules_look_at('website')
        AND start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    -- Tags are the person's: they belong to every device.
    SELECT 'tag', NULL, NULL, NULL, tag, NULL, NULL, NULL, start_local, start_utc, end_local, end_utc
    FROM tags
    WHERE start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
),
cut AS (
    SELECT
        device,
        timeline_id,
        activity_id,
        name,
        key,
        color,
        title,
        unnest(
            ruled(
                kind,
                device,
                activity_id,
                rule_conditions(kind, device, name, key, title),
                start_local,
                start_utc,
                end_local,
                end_utc,
                rule_needs()
            ) OVER ()
        ) AS part
    FROM candidates
)
SELECT
    cut.device,
    cut.timeline_id,
    cut.activity_id,
    cut.name AS application,
    cut.key,
    cut.color,
    cut.title,
    cut.part['start_local'] AS start_local,
    cut.part['start_utc'] AS start_utc,
    cut.part['end_local'] AS end_local,
    cut.part['end_utc'] AS end_utc,
    to_unixtime(cut.part['end_utc']) - to_unixtime(cut.part['start_utc']) AS seconds,
    cut.part['tagged'] AS is_tagged,
    cut.part['rule'] AS rule_number,
    rules.rule,
    rules.category,
    rules.project,
    rules.task,
    cut.part['shadowed'] AS shadowed
FROM cut
LEFT JOIN rules ON cut.part['rule'] = rules.number
