-- A row is a timeline with its number of activities, and the first and last local time for which the timeline has data.
-- Data are the activities of the timeline, and earlier or later hours for which only the tracker's hourly totals exist
-- (docs/spec/time.md#retention). Such an hour counts in full.
SELECT
    timeline_id,
    role,
    device,
    activities,
    CASE
        WHEN first_local <= first_hour + INTERVAL '59 minutes 59 seconds' THEN first_local
        ELSE COALESCE(first_hour, first_local)
    END AS first_local,
    CASE
        WHEN last_hour < last_local THEN last_local
        ELSE COALESCE(last_hour + INTERVAL '1 hour', last_local)
    END AS last_local
FROM timeline_bounds
