-- A row is a block as `blocks` tells it, of one device or, where `$device` is null, of all (semantics, section 8). Blocks add
-- up to the active time of the range; a change of subject is worth `$patience_minutes` of time that has not the subject.
-- `applications`, `documents` and `websites` are up to three each, with their seconds in the block, most first; `tags` are
-- those besides the subject. Every branch repeats the range.
WITH candidates AS (
    SELECT
        'piece' AS kind,
        device,
        timeline_id,
        CASE
            WHEN project IS NOT NULL THEN 'project'
            WHEN category IS NOT NULL THEN 'category'
            ELSE 'application'
        END AS subject_kind,
        CASE WHEN project IS NOT NULL THEN concat_ws(', ', project, task) ELSE COALESCE(category, key) END AS subject,
        key,
        application AS name,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM ruled_pieces($start, $end)
    WHERE $device IS NULL OR device = $device
    UNION ALL
    SELECT 'document', device, timeline_id, NULL, NULL, key, name, start_local, start_utc, end_local, end_utc
    FROM pieces_of('documents', $start, $end)
    WHERE $device IS NULL OR device = $device
    UNION ALL
    SELECT 'website', device, timeline_id, NULL, NULL, key, name, start_local, start_utc, end_local, end_utc
    FROM pieces_of('websites', $start, $end)
    WHERE $device IS NULL OR device = $device
    UNION ALL
    -- Tags are the person's: they belong to every device.
    SELECT 'tag', NULL, NULL, NULL, tag, NULL, NULL, start_local, start_utc, end_local, end_utc
    FROM tags
    WHERE start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
),
shares AS (
    SELECT
        kind,
        key,
        name,
        unnest(
            blocks_of(
                kind,
                device,
                timeline_id,
                subject_kind,
                subject,
                start_local,
                start_utc,
                end_local,
                end_utc,
                -- More than a day holds is as good as any.
                CAST(least(round($patience_minutes * 60), 1000000) AS BIGINT)
            ) OVER ()
        ) AS block
    FROM candidates
),
-- What a block names, with its seconds there.
named AS (
    SELECT
        block['block'] AS number,
        kind,
        key,
        ranked_by_weight(
            name,
            to_unixtime(block['shared_end_utc']) - to_unixtime(block['shared_start_utc']),
            block['shared_start_utc']
        )[1] AS name,
        union_seconds(block['shared_start_utc'], block['shared_end_utc']) AS seconds,
        min(block['shared_start_utc']) AS began,
        first_value(block) AS block
    FROM shares
    GROUP BY 1, kind, key
),
ranked AS (
    SELECT
        number,
        kind,
        first_value(block) AS block,
        first_value(name) FILTER (WHERE key = block['subject']) AS of_subject,
        array_slice(array_agg(named_struct('name', name, 'seconds', seconds) ORDER BY seconds DESC, began, name), 1, 3)
            AS names
    FROM named
    GROUP BY number, kind
),
blocks AS (
    SELECT
        first_value(block) AS block,
        first_value(of_subject) FILTER (WHERE kind = 'piece') AS application,
        first_value(names) FILTER (WHERE kind = 'piece') AS applications,
        first_value(names) FILTER (WHERE kind = 'document') AS documents,
        first_value(names) FILTER (WHERE kind = 'website') AS websites
    FROM ranked
    GROUP BY number
)
SELECT
    block['start_local'] AS start_local,
    block['start_utc'] AS start_utc,
    block['end_local'] AS end_local,
    block['end_utc'] AS end_utc,
    block['seconds'] AS seconds,
    CASE
        WHEN block['subject_kind'] = 'application' THEN COALESCE(application, block['subject'])
        ELSE block['subject']
    END AS subject,
    block['subject_kind'] AS subject_kind,
    block['on_subject'] AS on_subject,
    block['tags'] AS tags,
    applications,
    documents,
    websites
FROM blocks
