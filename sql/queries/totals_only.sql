-- A row is a device with hours for which only hourly totals of applications are left, because the activities were
-- deleted. `first_total` is the first local hour with only totals. `first_kept` is the local start of the first
-- activity that is left, or null if no activities are left (docs/spec/time.md#retention).
WITH totals_only AS (
    SELECT timeline_id, device, min(hour_local) AS first_total
    FROM hourly_totals_around('applications', '0001-01-01', '9998-12-31')
    WHERE is_totals_only
    GROUP BY timeline_id, device
)
SELECT
    totals_only.device,
    min(totals_only.first_total) AS first_total,
    min(timeline_bounds.first_local) AS first_kept
FROM timeline_bounds
JOIN totals_only ON timeline_bounds.timeline_id = totals_only.timeline_id
GROUP BY totals_only.device
ORDER BY totals_only.device
