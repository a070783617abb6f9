-- One row: the values that decide whether a response about active time is degraded (docs/spec/time.md#missing-data),
-- for `$device` or all devices. `applications` is the number of application activities in the range. `untracked` is the
-- number of application activities on devices without a computer-usage timeline. `unnamed_seconds` is the time in which
-- devices without an application activity were in use. Each second counts once. `calls_count` is true if calls count
-- while the device is away (docs/spec/time.md#calls). After the local time `first_kept`, the application activities of
-- every device are still present. `first_kept` is null if a device doesn't have application activities.
WITH applications AS (
    SELECT device, is_tracked
    FROM recorded_activities
    WHERE role = 'applications'
        AND start_local < $end + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '1 day'
        -- If `clip_to_range` returns a part, the activity is in the range by its own clock. A piece of the activity can
        -- use a later clock. The local start and end of the activity are therefore compared too.
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
-- A device has thousands of activities, so DISTINCT makes the join below much smaller.
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
),
kept AS (
    SELECT CASE WHEN bool_or(first_local IS NULL) THEN NULL ELSE max(first_local) END AS first_kept
    FROM timeline_bounds
    WHERE role = 'applications' AND ($device IS NULL OR device = $device)
)
SELECT
    applications,
    untracked,
    unnamed_seconds,
    has_call_rules_about('piece') AS calls_count,
    first_kept
FROM counted
CROSS JOIN unnamed
CROSS JOIN kept
