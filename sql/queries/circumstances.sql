-- One row: what decides whether an answer about active time is degraded (semantics, section 3), for one device or all.
-- `applications` counts the application activities of the range, `untracked` those of devices that have no
-- computer-usage timeline.
SELECT
    count(*) AS applications,
    count(*) FILTER (WHERE NOT is_tracked) AS untracked
FROM recorded_activities
WHERE role = 'applications'
    AND start_local < $end + INTERVAL '1 day'
    AND end_local > $start - INTERVAL '1 day'
    AND clip_to_range(start_local, start_utc, end_local, end_utc, $start, $end) IS NOT NULL
    AND ($device IS NULL OR device = $device)
