-- A row is an interval of one row of the history, with how its seconds count and why (docs/spec/time.md#why). Every
-- second of a device that a computer-usage row or an application row covers appears once. Parts of application rows
-- that a later row hides appear in addition, as 'covered'. Tags appear during the time in which no device recorded
-- anything. The seconds with `adds_to` 'both' are the active time of the local range [$start, $end), and within each
-- block the block's active time. Those with 'both' or 'application' are the active time of their application. Rows
-- that don't count at all appear as 'ignored'. Segments and blocks are those of `narrative` and `blocks` with default
-- parameters.

-- Every branch repeats the range. Branches other than pieces have a margin of a day, and account() clips them.
WITH candidates AS (
    SELECT
        'piece' AS kind,
        device,
        timeline_id,
        activity_id,
        application AS name,
        key,
        CASE
            WHEN project IS NOT NULL THEN 'project'
            WHEN category IS NOT NULL THEN 'category'
            ELSE 'application'
        END AS subject_kind,
        CASE WHEN project IS NOT NULL THEN concat_ws(', ', project, task) ELSE COALESCE(category, key) END AS subject,
        rule,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM pieces_by_rule($start, $end)
    UNION ALL
    SELECT 'application', device, timeline_id, activity_id, name, key, NULL, NULL, NULL, start_local, start_utc, end_local, end_utc
    FROM recorded_activities
    WHERE role = 'applications'
        AND start_local < $end + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    SELECT state, device, timeline_id, activity_id, NULL, NULL, NULL, NULL, NULL, start_local, start_utc, end_local, end_utc
    FROM computer_usage
    WHERE start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    SELECT 'call', device, NULL, NULL, NULL, NULL, NULL, NULL, NULL, start_local, start_utc, end_local, end_utc
    FROM calls_around($start, $end)
    UNION ALL
    -- Tags belong to a person, so they apply to every device.
    SELECT 'tag', NULL, timeline_id, activity_id, tag, NULL, NULL, NULL, NULL, start_local, start_utc, end_local, end_utc
    FROM tags
    WHERE start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    SELECT 'tracked', device, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM timelines
    WHERE role = 'computer_usage'
),
accounted AS (
    SELECT
        device,
        timeline_id,
        activity_id,
        rule,
        unnest(
            account(
                kind,
                device,
                timeline_id,
                activity_id,
                name,
                key,
                subject_kind,
                subject,
                start_local,
                start_utc,
                end_local,
                end_utc,
                $start,
                $end,
                120,
                30,
                300
            ) OVER ()
        ) AS part
    FROM candidates
),
-- A row with an unreadable timestamp is placed by its readable timestamps.
ignored AS (
    SELECT device, timeline_id, activity_id, start_local, start_utc, end_local, end_utc
    FROM activities
    WHERE role IN ('applications', 'computer_usage', 'tags')
        AND start_local >= $start
        AND start_local < $end
        AND (end_local IS NULL OR start_utc IS NULL OR end_utc IS NULL OR end_utc <= start_utc)
    UNION ALL
    SELECT device, timeline_id, activity_id, start_local, start_utc, end_local, end_utc
    FROM activities
    WHERE role IN ('applications', 'computer_usage', 'tags')
        AND start_local IS NULL
        AND end_local >= $start
        AND end_local < $end
)
SELECT
    device,
    part['start_local'] AS start_local,
    part['end_local'] AS end_local,
    to_unixtime(part['end_utc']) - to_unixtime(part['start_utc']) AS seconds,
    part['counts'] AS counts,
    part['adds_to'] AS adds_to,
    part['application'] AS application,
    timeline_id,
    activity_id,
    part['cut_start'] AS cut_start,
    part['cut_end'] AS cut_end,
    part['segment_start'] AS segment_start,
    part['step'] AS step,
    part['block_start'] AS block_start,
    part['block'] AS block,
    part['is_on_subject'] AS is_on_subject,
    rule,
    part['tags'] AS tags,
    CAST(NULL AS VARCHAR) AS reason,
    part['start_utc'] AS start_utc,
    part['end_utc'] AS end_utc
FROM accounted
UNION ALL
SELECT
    device,
    start_local,
    end_local,
    0,
    'ignored',
    'neither',
    NULL,
    timeline_id,
    activity_id,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    CASE
        WHEN start_local IS NOT NULL AND end_local IS NOT NULL AND end_utc <= start_utc
            THEN 'it ends no later than it starts'
        ELSE 'an instant cannot be read'
    END,
    start_utc,
    end_utc
FROM ignored
