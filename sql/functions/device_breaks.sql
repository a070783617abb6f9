-- A row is a gap between two active intervals of one local day in [$start, $end), on one device, or on all devices if
-- `$device` is null (docs/spec/time.md#breaks). A gap of five hours or more is a night; a shorter one is a break.
-- `in_use_seconds`, `away_seconds`, `locked_seconds`, `off_seconds` and `unknown_seconds` divide `seconds` by the state
-- of the computer: `in_use_seconds` was in use without an application, and `unknown_seconds` has no recorded state. If
-- several devices have different states, the first in this order counts.
WITH intervals AS (
    SELECT date, unnest(active) AS part
    FROM device_active_days($device, $start, $end)
),
-- The gap after each active interval. The last one of a day has no end.
gaps AS (
    SELECT
        date,
        part['end_local'] AS start_local,
        part['end_utc'] AS start_utc,
        lead(part['start_local']) OVER (PARTITION BY date ORDER BY part['start_utc']) AS end_local,
        lead(part['start_utc']) OVER (PARTITION BY date ORDER BY part['start_utc']) AS end_utc
    FROM intervals
),
breaks AS (
    SELECT date, start_local, start_utc, end_local, end_utc
    FROM gaps
    WHERE end_utc > start_utc
),
state_parts AS (
    SELECT state, unnest(split_days(start_local, start_utc, end_local, end_utc)) AS part
    FROM computer_usage_in($start, $end)
    WHERE state <> 'unknown' AND ($device IS NULL OR device = $device)
),
states AS (
    SELECT
        CAST(part['start_local'] AS DATE) AS state_date,
        state,
        part['start_utc'] AS state_start,
        part['end_utc'] AS state_end
    FROM state_parts
),
-- The join compares dates, so that a long range doesn't compare each break with each state.
shares AS (
    SELECT
        date,
        start_local,
        start_utc,
        end_local,
        end_utc,
        state,
        greatest(start_utc, state_start) AS share_start,
        least(end_utc, state_end) AS share_end
    FROM breaks
    LEFT JOIN states ON date = state_date AND state_start < end_utc AND state_end > start_utc
),
-- The seconds with at least one of the first states.
measured AS (
    SELECT
        date,
        start_local,
        start_utc,
        end_local,
        end_utc,
        to_unixtime(end_utc) - to_unixtime(start_utc) AS seconds,
        COALESCE(union_seconds(share_start, share_end) FILTER (WHERE state = 'active'), 0) AS in_use,
        COALESCE(union_seconds(share_start, share_end) FILTER (WHERE state IN ('active', 'away')), 0) AS until_away,
        COALESCE(union_seconds(share_start, share_end) FILTER (WHERE state IN ('active', 'away', 'locked')), 0)
            AS until_locked,
        COALESCE(union_seconds(share_start, share_end) FILTER (WHERE state IS NOT NULL), 0) AS until_off
    FROM shares
    GROUP BY date, start_local, start_utc, end_local, end_utc
)
SELECT
    date,
    start_local,
    end_local,
    seconds,
    seconds >= 5 * 3600 AS is_night,
    in_use AS in_use_seconds,
    until_away - in_use AS away_seconds,
    until_locked - until_away AS locked_seconds,
    until_off - until_locked AS off_seconds,
    seconds - until_off AS unknown_seconds,
    start_utc,
    end_utc
FROM measured
