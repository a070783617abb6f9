-- A row is the tracker's own total of one name of the role `$role`, in one local hour of one timeline. The hours can be
-- up to a day outside of the local range [$start, $end). `is_totals_only` is true if the timeline's activities start
-- after the hour, or if they cover too little of the hour to account for the total. In these cases, the tracker has
-- deleted activities of the hour and kept only the totals (docs/spec/time.md#retention).
WITH totals AS (
    SELECT timeline_id, device, hour_local, name, key, color, seconds
    FROM hourly_totals
    WHERE role = $role
        AND hour_local >= $start - INTERVAL '1 day'
        AND hour_local < $end + INTERVAL '1 day'
        AND seconds > 0
),
-- The sum of the totals in one hour of each timeline: the hour in which the timeline's activities begin.
first_hours AS (
    SELECT totals.timeline_id, sum(totals.seconds) AS seconds
    FROM timeline_bounds
    JOIN totals
        ON timeline_bounds.timeline_id = totals.timeline_id
        AND date_trunc('hour', timeline_bounds.first_local) = totals.hour_local
    GROUP BY totals.timeline_id
),
retained AS (
    SELECT
        timeline_bounds.timeline_id,
        first_local,
        -- The total of the first hour is compared with the time from the first activity to the end of the hour. If the
        -- total is at most a minute larger, rounding explains the difference. If it is more than a minute larger,
        -- activities of the hour are missing. A total of more than an hour is an exception: a clock change repeated the
        -- hour.
        date_trunc('hour', first_local)
            + CASE
                WHEN first_hours.seconds > 3660
                    AND first_hours.seconds <= 7260 - to_unixtime(first_local) % 3600 THEN INTERVAL '0 hours'
                WHEN first_hours.seconds > 3660 - to_unixtime(first_local) % 3600 THEN INTERVAL '1 hour'
                ELSE INTERVAL '0 hours'
            END AS whole_from
    FROM timeline_bounds
    LEFT JOIN first_hours ON timeline_bounds.timeline_id = first_hours.timeline_id
)
SELECT
    totals.timeline_id,
    totals.device,
    totals.hour_local,
    totals.name,
    totals.key,
    totals.color,
    totals.seconds,
    retained.first_local IS NULL OR totals.hour_local < retained.whole_from AND $start < retained.first_local AS is_totals_only
FROM retained
JOIN totals ON retained.timeline_id = totals.timeline_id
