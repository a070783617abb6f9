-- One row: what decides whether an answer about active time is degraded (docs/spec/time.md#missing-data), for one
-- device or all. `applications` counts the application activities of the range, `untracked` those of devices that have
-- no computer-usage timeline; `unnamed_seconds` are those during which a device was in use that has no application
-- activity in the range, each counted once. `calls_count` is whether calls count while the device is away
-- (docs/spec/time.md#calls).
WITH applications AS (
    SELECT device, is_tracked
    FROM recorded_activities
    WHERE role = 'applications'
        AND start_local < $end + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '1 day'
        -- By the clock that it began with, or by a later one that a piece of it may have.
        AND (
            clip_to_range(start_local, start_utc, end_local, end_utc, $start, $end) IS NOT NULL
            OR start_local < $end AND end_local > $start
        )
        AND ($device IS NULL OR device = $device)
),
counted AS (
    SELECT count(*) AS applications, count(*) FILTER (WHERE NOT is_tracked) AS untracked
    FROM applications
),
-- Each once: a device has thousands.
devices_with_applications AS (
    SELECT DISTINCT device
    FROM applications
),
active_usage AS (
    SELECT device, start_utc, end_utc
    FROM computer_usage_in($start, $end)
    WHERE state = 'active' AND ($device IS NULL OR device = $device)
),
unnamed AS (
    SELECT COALESCE(union_seconds(active_usage.start_utc, active_usage.end_utc), 0) AS unnamed_seconds
    FROM active_usage
    LEFT ANTI JOIN devices_with_applications ON active_usage.device = devices_with_applications.device
)
SELECT applications, untracked, unnamed_seconds, has_call_rules_about('piece') AS calls_count
FROM counted
CROSS JOIN unnamed
