-- A row is an interval away from the computer on one local day (docs/spec/time.md#away-intervals). It lasts at least
-- `$min_minutes`. If `is_break` is true, no device was in use, and the interval is between the first and the last
-- active time of the day. A break is shorter than five hours, because a longer interval is a night. If `is_break` is
-- false, the interval is at another time without use, such as before the first use of a day. Such an interval has tags,
-- meetings or notes. `state` is the state of the computer for most of the interval. `tags`, `meetings` and
-- `notes_taken` list items, longest first. Each item overlaps the interval for at least five minutes, or for half of
-- the item's length. The intervals are not active time. Only tags prove that an interval was work.

-- Each branch of `UNION ALL` limits the local range [$start, $end) itself. The rows are active time, and time in which
-- a device was in use without a visible application. For example, a hidden application was open.
WITH use AS (
    SELECT true AS is_active, unnest(split_days(start_local, start_utc, end_local, end_utc)) AS part
    FROM role_pieces('applications', $start, $end)
    UNION ALL
    SELECT false, unnest(split_days(start_local, start_utc, end_local, end_utc))
    FROM computer_usage_in($start, $end)
    WHERE state = 'active'
),
days AS (
    SELECT
        day_of(part['start_local']) AS day,
        min(part['start_utc']) FILTER (WHERE is_active) AS first_active_utc,
        max(part['end_utc']) FILTER (WHERE is_active) AS last_active_utc,
        interval_union(part['start_local'], part['start_utc'], part['end_local'], part['end_utc']) AS intervals
    FROM use
    GROUP BY 1
),
active AS (
    SELECT day, first_active_utc, last_active_utc, unnest(intervals) AS part
    FROM days
),
-- The gap after each active interval. The gap after the last active interval of a day has a null end.
gaps AS (
    SELECT
        day,
        first_active_utc,
        last_active_utc,
        part['end_local'] AS start_local,
        part['end_utc'] AS start_utc,
        lead(part['start_local']) OVER (PARTITION BY day ORDER BY part['start_utc']) AS end_local,
        lead(part['start_utc']) OVER (PARTITION BY day ORDER BY part['start_utc']) AS end_utc
    FROM active
),
short_gaps AS (
    SELECT day, start_local, start_utc, end_local, end_utc
    FROM gaps
    WHERE to_unixtime(end_utc) - to_unixtime(start_utc) < 5 * 3600
        AND start_utc >= first_active_utc
        AND end_utc <= last_active_utc
),
recorded_items AS (
    SELECT 'tag' AS kind, tag AS name, start_local, start_utc, end_local, end_utc
    FROM tags_in($start, $end)
    UNION ALL
    SELECT 'meeting', meeting, start_local, start_utc, end_local, end_utc
    FROM meetings_around($start, $end)
    UNION ALL
    SELECT 'note', path, start_local, start_utc, end_local, end_utc
    FROM note_sessions_around($start, $end)
),
clipped_items AS (
    SELECT
        kind,
        name,
        unnest(
            split_days(clip_to_range(start_local, start_utc, end_local, end_utc, $start, $end))
        ) AS part
    FROM recorded_items
),
items AS (
    SELECT
        day_of(part['start_local']) AS day,
        kind,
        name,
        part['start_local'] AS start_local,
        part['start_utc'] AS start_utc,
        part['end_local'] AS end_local,
        part['end_utc'] AS end_utc
    FROM clipped_items
),
-- The parts of items that are outside of use and of short gaps. `split_by_rule` has only one rule here, and this rule
-- matches use and short gaps. The parts without a rule are therefore outside of both.
item_parts AS (
    SELECT
        day,
        unnest(
            split_by_rule(kind, NULL, NULL, conditions, start_local, start_utc, end_local, end_utc, '1') OVER ()
        ) AS part
    FROM (
        SELECT day, 'piece' AS kind, '' AS conditions, start_local, start_utc, end_local, end_utc
        FROM items
        UNION ALL
        SELECT day, 'use', '1', part['start_local'], part['start_utc'], part['end_local'], part['end_utc']
        FROM active
        UNION ALL
        SELECT day, 'use', '1', start_local, start_utc, end_local, end_utc
        FROM short_gaps
    )
),
outside_days AS (
    SELECT
        day,
        interval_union(part['start_local'], part['start_utc'], part['end_local'], part['end_utc']) AS intervals
    FROM item_parts
    WHERE part['rule'] IS NULL
    GROUP BY day
),
outside AS (
    SELECT day, unnest(intervals) AS part
    FROM outside_days
),
candidates AS (
    SELECT day, true AS is_break, start_local, start_utc, end_local, end_utc
    FROM short_gaps
    UNION ALL
    SELECT day, false, part['start_local'], part['start_utc'], part['end_local'], part['end_utc']
    FROM outside
),
away AS (
    SELECT *, to_unixtime(end_utc) - to_unixtime(start_utc) AS seconds
    FROM candidates
    WHERE to_unixtime(end_utc) - to_unixtime(start_utc) >= CAST(round($min_minutes * 60) AS BIGINT)
),
states AS (
    SELECT state, unnest(split_days(start_local, start_utc, end_local, end_utc)) AS part
    FROM computer_usage_in($start, $end)
    WHERE state IN ('away', 'locked', 'off')
),
details AS (
    SELECT day, kind, name, start_utc, end_utc
    FROM items
    UNION ALL
    SELECT day_of(part['start_local']), state, NULL, part['start_utc'], part['end_utc']
    FROM states
),
shares AS (
    SELECT
        away.*,
        kind,
        name,
        greatest(details.start_utc, away.start_utc) AS shared_start_utc,
        least(details.end_utc, away.end_utc) AS shared_end_utc,
        overlap_seconds(details.start_utc, details.end_utc, away.start_utc, away.end_utc) AS shared_seconds,
        to_unixtime(details.end_utc) - to_unixtime(details.start_utc) AS detail_seconds
    FROM away
    LEFT JOIN details
        ON away.day = details.day
        AND details.start_utc < away.end_utc
        AND details.end_utc > away.start_utc
),
named_shares AS (
    SELECT *, CASE WHEN shared_seconds >= least(300, detail_seconds / 2) THEN name END AS listed_name
    FROM shares
),
measured AS (
    SELECT
        day,
        start_local,
        end_local,
        seconds,
        is_break,
        start_utc,
        end_utc,
        -- If the states of several devices differ, the state closest to active use counts: away before locked, and
        -- locked before off.
        COALESCE(union_seconds(shared_start_utc, shared_end_utc) FILTER (WHERE kind = 'away'), 0) AS away_seconds,
        COALESCE(union_seconds(shared_start_utc, shared_end_utc) FILTER (WHERE kind IN ('away', 'locked')), 0)
            AS on_seconds,
        COALESCE(union_seconds(shared_start_utc, shared_end_utc) FILTER (WHERE kind IN ('away', 'locked', 'off')), 0)
            AS known_seconds,
        ranked_by_weight(listed_name, shared_seconds, shared_start_utc) FILTER (WHERE kind = 'tag') AS tags,
        ranked_by_weight(listed_name, shared_seconds, shared_start_utc) FILTER (WHERE kind = 'meeting') AS meetings,
        ranked_by_weight(listed_name, shared_seconds, shared_start_utc) FILTER (WHERE kind = 'note') AS notes_taken
    FROM named_shares
    GROUP BY day, start_local, end_local, seconds, is_break, start_utc, end_utc
)
-- The order of the columns in `SELECT *`: the most useful columns come first.
SELECT
    day,
    start_local,
    end_local,
    seconds,
    CASE greatest(away_seconds, on_seconds - away_seconds, known_seconds - on_seconds, seconds - known_seconds)
        WHEN away_seconds THEN 'away'
        WHEN on_seconds - away_seconds THEN 'locked'
        WHEN known_seconds - on_seconds THEN 'off'
        ELSE 'unknown'
    END AS state,
    is_break,
    tags,
    meetings,
    notes_taken,
    start_utc,
    end_utc
FROM measured
