-- A row is an application row of the history in the local range [$start, $end), and how its seconds count
-- (docs/spec/time.md#why). `seconds` is the sum of `counted_seconds`, `shared_seconds`, `not_in_use_seconds` and
-- `hidden_seconds`. The sum of `counted_seconds` over all rows is the active time of the range. Ignored rows of
-- applications, computer usage and tags are also listed, with 0 seconds and the `reason` why they are ignored.

-- Each subquery reads rows from a day before the range to a day after it. The parts of the rows are then clipped to the
-- exact range.
WITH application_rows AS (
    SELECT device, timeline_id, activity_id, name, start_local, start_utc, end_local, end_utc
    FROM recorded_activities
    WHERE role = 'applications'
        AND start_local < $end + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '1 day'
),
recorded AS (
    SELECT
        device,
        timeline_id,
        activity_id,
        name,
        start_utc,
        end_utc,
        clip_to_range(start_local, start_utc, end_local, end_utc, $start, $end) AS part
    FROM application_rows
),
-- The parts that no later row covers. Whether the device was in use doesn't matter here.
visible AS (
    SELECT
        device,
        timeline_id,
        activity_id,
        name,
        unnest(
            clip_to_active(
                'activity', device, activity_id, timeline_id, start_local, start_utc, end_local, end_utc, $start, $end
            ) OVER ()
        ) AS part
    FROM application_rows
),
-- The parts that count. If several devices are active simultaneously, only the row that starts later counts. It can be
-- on another device.
counted AS (
    SELECT
        device,
        timeline_id,
        activity_id,
        name,
        unnest(
            clip_to_active(
                'activity', 'any', activity_id, timeline_id, start_local, start_utc, end_local, end_utc, NULL, NULL
            ) OVER ()
        ) AS part
    FROM role_pieces('applications', $start, $end)
),
call_candidates AS (
    SELECT 'activity' AS kind, device, timeline_id, activity_id, name, start_local, start_utc, end_local, end_utc
    FROM role_pieces('applications', $start, $end)
    UNION ALL
    SELECT 'active', device, NULL, NULL, NULL, start_local, start_utc, end_local, end_utc
    FROM calls_around($start, $end)
    UNION ALL
    SELECT DISTINCT 'tracked', device, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM timelines
),
calls AS (
    SELECT
        device,
        timeline_id,
        activity_id,
        name,
        unnest(
            clip_to_active(
                kind, device, activity_id, timeline_id, start_local, start_utc, end_local, end_utc, NULL, NULL
            ) OVER ()
        ) AS part
    FROM call_candidates
),
parts AS (
    SELECT
        'recorded' AS share,
        device,
        timeline_id,
        activity_id,
        name,
        CAST(NULL AS VARCHAR) AS rule,
        part,
        part['start_utc'] > start_utc OR part['end_utc'] < end_utc AS is_clipped
    FROM recorded
    WHERE part IS NOT NULL
    UNION ALL
    SELECT 'visible', device, timeline_id, activity_id, name, NULL, part, false
    FROM visible
    UNION ALL
    SELECT
        'active',
        device,
        timeline_id,
        activity_id,
        application,
        rule,
        named_struct('start_local', start_local, 'start_utc', start_utc, 'end_local', end_local, 'end_utc', end_utc),
        false
    FROM pieces_by_rule($start, $end)
    UNION ALL
    SELECT 'counted', device, timeline_id, activity_id, name, NULL, part, false
    FROM counted
    UNION ALL
    SELECT 'call', device, timeline_id, activity_id, name, NULL, part, false
    FROM calls
),
measured AS (
    SELECT
        *,
        part['start_local'] AS start_local,
        part['start_utc'] AS start_utc,
        part['end_local'] AS end_local,
        part['end_utc'] AS end_utc,
        to_unixtime(part['end_utc']) - to_unixtime(part['start_utc']) AS seconds
    FROM parts
),
totals AS (
    SELECT
        device,
        timeline_id,
        activity_id,
        name,
        first_value(start_local ORDER BY start_utc) AS start_local,
        last_value(end_local ORDER BY end_utc) AS end_local,
        min(start_utc) AS start_utc,
        max(end_utc) AS end_utc,
        bool_or(is_clipped) AS is_clipped,
        COALESCE(sum(seconds) FILTER (WHERE share = 'recorded'), 0) AS recorded_seconds,
        COALESCE(sum(seconds) FILTER (WHERE share = 'visible'), 0) AS visible_seconds,
        COALESCE(sum(seconds) FILTER (WHERE share = 'active'), 0) AS active_seconds,
        COALESCE(sum(seconds) FILTER (WHERE share = 'counted'), 0) AS counted_seconds,
        COALESCE(sum(seconds) FILTER (WHERE share = 'call'), 0) AS call_seconds,
        ranked_by_weight(COALESCE(rule, ''), seconds, start_utc) FILTER (WHERE share = 'active') AS rules
    FROM measured
    GROUP BY device, timeline_id, activity_id, name
),
-- A piece uses the clock of its active interval, not the clock of its row. After a clock change, a piece can be in the
-- range although its row is not. The differences below could then be negative, so they are limited to at least 0.
shares AS (
    SELECT
        *,
        active_seconds - counted_seconds AS shared_seconds,
        greatest(visible_seconds - active_seconds, 0) AS not_in_use_seconds,
        greatest(recorded_seconds - greatest(visible_seconds, active_seconds), 0) AS hidden_seconds
    FROM totals
),
-- If one timestamp of a row is unreadable, the other timestamps decide whether the row is in the range.
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
    start_local,
    end_local,
    counted_seconds + shared_seconds + not_in_use_seconds + hidden_seconds AS seconds,
    counted_seconds,
    shared_seconds,
    not_in_use_seconds,
    hidden_seconds,
    call_seconds,
    name AS application,
    NULLIF(rules[1], '') AS rule,
    is_clipped,
    timeline_id,
    activity_id,
    CAST(NULL AS VARCHAR) AS reason,
    start_utc,
    end_utc
FROM shares
UNION ALL
SELECT
    device,
    start_local,
    end_local,
    0,
    0,
    0,
    0,
    0,
    0,
    NULL,
    NULL,
    false,
    timeline_id,
    activity_id,
    CASE
        WHEN start_local IS NOT NULL AND end_local IS NOT NULL AND end_utc <= start_utc
            THEN 'it ends no later than it starts'
        ELSE 'an instant cannot be read'
    END,
    start_utc,
    end_utc
FROM ignored
