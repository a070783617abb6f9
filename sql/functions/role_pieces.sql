-- A row is a piece: the part of an activity of the role `$role` in the local range [$start, $end) during active use of
-- its device. `$role` is 'applications', 'documents' or 'websites'. Calls are included if they count as active time
-- (docs/spec/time.md#calls). If activities of one device overlap, the time belongs to the activity that starts later
-- (docs/spec/time.md#overlapping-rows). Activities of a device without a computer-usage timeline are not clipped to
-- active use. Each piece is clipped to the range according to its own clock. Pieces of one device never overlap.
-- `seconds` is measured in UTC.

-- Rows are read from a day before the range to a day after it. The reason is that a clock change during an activity
-- moves its local start or end. `clip_to_active` then clips the activities to the exact range.
WITH candidates AS (
    SELECT
        CAST('activity' AS VARCHAR) AS kind,
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
    FROM recorded_activities
    WHERE role = $role
        AND start_local < $end + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '1 day'
        -- Site names of one character come from misread paths. They must not take time from other sites.
        AND ($role <> 'websites' OR character_length(name) > 1)
    UNION ALL
    SELECT 'active', device, NULL, NULL, NULL, NULL, NULL, NULL, NULL, start_local, start_utc, end_local, end_utc
    FROM computer_usage
    WHERE state = 'active'
        AND start_local < $end + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    SELECT 'active', device, NULL, NULL, NULL, NULL, NULL, NULL, NULL, start_local, start_utc, end_local, end_utc
    FROM calls_around($start, $end)
    UNION ALL
    SELECT 'tracked', device, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM timelines
    WHERE role = 'computer_usage'
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
