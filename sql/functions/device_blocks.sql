-- A row is a block as in the function `blocks`, for one device, or for all devices if `$device` is null
-- (docs/spec/time.md#blocks). The blocks add up to the active time of the range. The day is split into blocks at the
-- lowest cost. Each second that is not spent on its block's subject costs one second. Each change of subject costs
-- `$switch_cost_minutes`. `applications`, `documents` and `websites` list up to three names each, with their seconds in
-- the block, most seconds first. `tags` lists the tags other than the subject. `meetings` lists up to three meetings
-- that are not all-day events. Each meeting overlaps the block for at least five minutes, or for half of the meeting's
-- length. `notes_taken` lists the paths of notes by the same rule.

-- Each branch of `UNION ALL` limits the range itself. Without calendars, blocks don't list meetings. Without a notes
-- workspace, blocks don't list notes.
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
    FROM pieces_by_rule($start, $end)
    WHERE $device IS NULL OR device = $device
    UNION ALL
    SELECT 'document', device, timeline_id, NULL, NULL, key, name, start_local, start_utc, end_local, end_utc
    FROM role_pieces('documents', $start, $end)
    WHERE $device IS NULL OR device = $device
    UNION ALL
    SELECT 'website', device, timeline_id, NULL, NULL, key, name, start_local, start_utc, end_local, end_utc
    FROM role_pieces('websites', $start, $end)
    WHERE $device IS NULL OR device = $device
    UNION ALL
    -- Tags belong to a person, so they apply to every device.
    SELECT 'tag', NULL, NULL, NULL, tag, NULL, NULL, start_local, start_utc, end_local, end_utc
    FROM tags
    WHERE start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    -- Meetings and notes also apply to every device.
    SELECT 'meeting', NULL, NULL, NULL, NULL, meeting AS key, meeting AS name, start_local, start_utc, end_local, end_utc
    FROM meetings_around($start, $end)
    UNION ALL
    SELECT 'note', NULL, NULL, NULL, NULL, path AS key, path AS name, start_local, start_utc, end_local, end_utc
    FROM note_sessions_around($start, $end)
),
shares AS (
    SELECT
        kind,
        key,
        name,
        start_utc,
        end_utc,
        unnest(
            assign_blocks(
                kind,
                device,
                timeline_id,
                subject_kind,
                subject,
                start_local,
                start_utc,
                end_local,
                end_utc,
                -- A larger cost has no effect, because a day has only 86,400 seconds.
                CAST(least(round($switch_cost_minutes * 60), 1000000) AS BIGINT)
            ) OVER ()
        ) AS block
    FROM candidates
),
-- Each block is a value to group by, because aggregate functions of structs are slow.
parts AS (
    SELECT
        kind,
        key,
        name,
        to_unixtime(end_utc) - to_unixtime(start_utc) AS whole_seconds,
        block['shared_start_utc'] AS shared_start_utc,
        block['shared_end_utc'] AS shared_end_utc,
        named_struct(
            'start_local', block['start_local'],
            'start_utc', block['start_utc'],
            'end_local', block['end_local'],
            'end_utc', block['end_utc'],
            'subject_kind', block['subject_kind'],
            'subject', block['subject'],
            'seconds', block['seconds'],
            'on_subject', block['on_subject'],
            'tags', block['tags']
        ) AS block
    FROM shares
),
-- The names that each block lists, with their seconds in the block.
named AS (
    SELECT
        block,
        kind,
        key,
        ranked_by_weight(
            name,
            to_unixtime(shared_end_utc) - to_unixtime(shared_start_utc),
            shared_start_utc
        )[1] AS name,
        union_seconds(shared_start_utc, shared_end_utc) AS seconds,
        min(shared_start_utc) AS began
    FROM parts
    WHERE NOT (has_meetings() OR has_notes())
        OR kind NOT IN ('meeting', 'note')
        OR to_unixtime(shared_end_utc) - to_unixtime(shared_start_utc) >= least(300, whole_seconds / 2)
    GROUP BY block, kind, key
),
items AS (
    SELECT *, named_struct('name', name, 'seconds', seconds) AS item
    FROM named
),
blocks AS (
    SELECT
        block,
        min(name) FILTER (WHERE kind = 'piece' AND key = block['subject']) AS application,
        array_slice(array_agg(item ORDER BY seconds DESC, began, name) FILTER (WHERE kind = 'piece'), 1, 3)
            AS applications,
        array_slice(array_agg(item ORDER BY seconds DESC, began, name) FILTER (WHERE kind = 'document'), 1, 3)
            AS documents,
        array_slice(array_agg(item ORDER BY seconds DESC, began, name) FILTER (WHERE kind = 'website'), 1, 3)
            AS websites,
        array_slice(array_agg(item ORDER BY seconds DESC, began, name) FILTER (WHERE kind = 'meeting'), 1, 3)
            AS meetings,
        array_slice(array_agg(item ORDER BY seconds DESC, began, name) FILTER (WHERE kind = 'note'), 1, 3)
            AS notes_taken
    FROM items
    GROUP BY block
)
-- The order of the columns in `SELECT *`: the most useful columns come first.
SELECT
    block['start_local'] AS start_local,
    block['end_local'] AS end_local,
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
    websites,
    meetings,
    notes_taken,
    block['start_utc'] AS start_utc,
    block['end_utc'] AS end_utc
FROM blocks
