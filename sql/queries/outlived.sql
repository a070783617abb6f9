-- A row is a device of which ManicTime's hourly totals tell more of its applications than its activities do: the first
-- local hour of which totals are all that is left, and the local start of the first activity that is kept, if any is
-- (docs/spec/time.md#retention).
WITH outlived AS (
    SELECT timeline_id, device, min(hour_local) AS first_total
    FROM hourly_totals_around('applications', '0001-01-01', '9998-12-31')
    WHERE is_outlived
    GROUP BY timeline_id, device
)
SELECT
    outlived.device,
    min(outlived.first_total) AS first_total,
    min(timeline_extents.first_local) AS first_kept
FROM timeline_extents
JOIN outlived ON timeline_extents.timeline_id = outlived.timeline_id
GROUP BY outlived.device
ORDER BY outlived.device
