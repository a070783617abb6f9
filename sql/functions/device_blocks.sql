-- A row is a block as `blocks` tells it, of one device or, where `$device` is null, of all (docs/spec/time.md#blocks).
-- Blocks add up to the active time of the range; a change of subject is worth `$switch_cost_minutes` of time that has not
-- the subject. `applications`, `documents` and `websites` are up to three each, with their seconds in the block, most
-- first; `tags` are those besides the subject. `meetings` are up to three that are not all day, with the seconds of
-- theirs in the block: each has five minutes there, or half of it; so are `notes_taken`, by their paths. Every branch
-- repeats the range; without calendars none is about meetings, without notes none about notes.
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
    -- Tags are the person's: they belong to every device.
    SELECT 'tag', NULL, NULL, NULL, tag, NULL, NULL, start_local, start_utc, end_local, end_utc
    FROM tags
    WHERE start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    -- So are meetings, of which none that is not all day begins more than a day before it ends.
    SELECT 'meeting', NULL, NULL, NULL, NULL, meeting AS key, meeting AS name, start_local, start_utc, end_local, end_utc
    FROM meetings
    WHERE has_meetings()
        AND meeting IS NOT NULL
        AND NOT is_all_day
        AND start_local < $end + INTERVAL '1 day'
        AND start_local > $start - INTERVAL '2 days'
    UNION ALL
    SELECT 'note', NULL, NULL, NULL, NULL, path AS key, path AS name, start_local, start_utc, end_local, end_utc
    FROM optional_note_sessions
    WHERE has_notes() AND start_local < $end + INTERVAL '1 day' AND start_local > $start - INTERVAL '8 days'
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
                -- More than a day holds is as good as any.
                CAST(least(round($switch_cost_minutes * 60), 1000000) AS BIGINT)
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
    WHERE NOT (has_meetings() OR has_notes())
        OR kind NOT IN ('meeting', 'note')
        OR to_unixtime(block['shared_end_utc']) - to_unixtime(block['shared_start_utc'])
            >= least(300, (to_unixtime(end_utc) - to_unixtime(start_utc)) / 2)
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
        first_value(names) FILTER (WHERE kind = 'website') AS websites,
        first_value(names) FILTER (WHERE kind = 'meeting') AS meetings,
        first_value(names) FILTER (WHERE kind = 'note') AS notes_taken
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
    websites,
    meetings,
    notes_taken
FROM blocks
