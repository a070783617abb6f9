-- A row is one role of one timeline, for roles with hourly totals. It contains the end of the newest activity, the
-- newest hour with totals, and the number of local days with activities but without totals. The usage of such days is
-- computed from activities (docs/spec/time.md#fallback-to-activities). An activity belongs to the day on which it
-- starts.
WITH recorded AS (
    SELECT timeline_id, role, device, day_of(start_local) AS day, max(end_local) AS newest_activity
    FROM activities
    WHERE role IN ('applications', 'documents', 'websites', 'tags') AND seconds > 0
    GROUP BY timeline_id, role, device, day_of(start_local)
),
totals AS (
    SELECT timeline_id, role, day_of(hour_local) AS day, max(hour_local) AS newest_hour
    FROM hourly_totals
    WHERE seconds > 0
    GROUP BY timeline_id, role, day_of(hour_local)
)
SELECT
    recorded.timeline_id,
    recorded.role,
    recorded.device,
    max(recorded.newest_activity) AS newest_activity,
    max(totals.newest_hour) AS newest_hour,
    count(*) FILTER (WHERE totals.day IS NULL) AS days_without_totals
FROM recorded
LEFT JOIN totals
    ON recorded.timeline_id = totals.timeline_id
    AND recorded.role = totals.role
    AND recorded.day = totals.day
GROUP BY recorded.timeline_id, recorded.role, recorded.device
ORDER BY recorded.timeline_id, recorded.role
