-- A row is a block of the local range [$start, $end): a stretch of one local day about one subject, as one would write it on
-- a timesheet (semantics, section 8). The subject is a tag where one overlaps, else an application. `seconds` is the active
-- time of the block, each second counted once over all devices, `on_subject` that part of it which has the subject itself;
-- a change of subject is worth `$patience_minutes` of time that has not. Blocks add up to the active time of the range.
-- `applications`, `documents` and `websites` are up to three each, with their seconds in the block, most first; `tags` are
-- those besides the subject. Every branch repeats the range.
WITH candidates AS (
    SELECT
        'piece' AS kind,
        device,
        timeline_id,
        key AS subject,
        key,
        name,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM pieces_of('applications', $start, $end)
    UNION ALL
    SELECT 'document', device, timeline_id, NULL, key, name, start_local, start_utc, end_local, end_utc
    FROM pieces_of('documents', $start, $end)
    UNION ALL
    SELECT 'website', device, timeline_id, NULL, key, name, start_local, start_utc, end_local, end_utc
    FROM pieces_of('websites', $start, $end)
    UNION ALL
    -- Tags are the person's: they belong to every device.
    SELECT 'tag', NULL, NULL, tag, NULL, NULL, start_local, start_utc, end_local, end_utc
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
                'application',
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
blocks AS (
    SELECT
        first_value(block) AS block,
        first_value(name) FILTER (WHERE kind = 'piece' AND key = block['subject']) AS application,
        array_agg(named_struct('name', name, 'seconds', seconds) ORDER BY seconds DESC, began, name)
            FILTER (WHERE kind = 'piece') AS applications,
        array_agg(named_struct('name', name, 'seconds', seconds) ORDER BY seconds DESC, began, name)
            FILTER (WHERE kind = 'document') AS documents,
        array_agg(named_struct('name', name, 'seconds', seconds) ORDER BY seconds DESC, began, name)
            FILTER (WHERE kind = 'website') AS websites
    FROM named
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
    array_slice(applications, 1, 3) AS applications,
    array_slice(documents, 1, 3) AS documents,
    array_slice(websites, 1, 3) AS websites
FROM blocks
ORDER BY start_utc
