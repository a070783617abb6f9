-- A row is the recorded time of one name in one local hour of one timeline inside [$start, $end). The name has the role
-- `$role`: 'applications', 'documents', 'websites' or 'tags'. A name can have several rows in an hour. The sum of these
-- rows is the name's time (docs/spec/time.md#recorded-time). `data_source` is 'hourly' for the tracker's own totals.
-- `data_source` is 'activities' if the time was computed from activities, in these cases:
--
-- - for a local day on which the timeline has no totals
-- - for the hours of a day after `totals_until`, which is the end of the day's last hour with totals
-- - for a range that does not start and end on whole hours. If an hour has only totals, the hour counts in full. If a
--   day starts within an hour, the hour belongs to the day before.
--
-- `is_totals_only` is true if the activities of the hour are deleted.
--
-- The source of an hour is chosen for the whole day, so that the hours of a day add up to the day. Totals are therefore
-- read from a day before the range to a day after it.
WITH totals AS (
    SELECT
        *,
        to_unixtime($start) % 3600 = 0 AND to_unixtime($end) % 3600 = 0 AS is_on_hours
    FROM hourly_totals_around($role, $start, $end)
),
used_totals AS (
    SELECT *
    FROM totals
    WHERE hour_local > $start - INTERVAL '1 hour'
        AND hour_local < $end
        AND (hour_local >= $start OR day_of($start - INTERVAL '1 second') = day_of($start))
        AND (is_on_hours OR is_totals_only)
),
hours_with_totals AS (
    SELECT DISTINCT timeline_id, hour_local
    FROM used_totals
),
covered_days AS (
    SELECT timeline_id, day_of(hour_local) AS day, max(hour_local) + INTERVAL '1 hour' AS totals_until
    FROM totals
    WHERE is_on_hours
    GROUP BY 1, 2
),
role_activities AS (
    SELECT timeline_id, device, name, key, color, start_local, start_utc, end_local, end_utc
    FROM recorded_activities
    WHERE role = $role
        AND start_local < $end + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    SELECT timeline_id, device, tag, key, color, start_local, start_utc, end_local, end_utc
    FROM tags
    WHERE $role = 'tags'
        AND start_local < $end + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '1 day'
),
hours AS (
    SELECT
        timeline_id,
        device,
        name,
        key,
        color,
        unnest(split_hours(clip_to_range(start_local, start_utc, end_local, end_utc, $start, $end))) AS part
    FROM role_activities
),
computed AS (
    SELECT
        timeline_id,
        device,
        date_trunc('hour', part['start_local']) AS hour_local,
        name,
        key,
        color,
        to_unixtime(part['end_utc']) - to_unixtime(part['start_utc']) AS seconds
    FROM hours
)
SELECT
    timeline_id,
    device,
    hour_local,
    name,
    key,
    color,
    seconds,
    is_totals_only,
    'hourly' AS data_source,
    CAST(NULL AS TIMESTAMP(0)) AS totals_until
FROM used_totals
UNION ALL
SELECT
    computed.timeline_id,
    computed.device,
    computed.hour_local,
    computed.name,
    computed.key,
    computed.color,
    computed.seconds,
    false,
    'activities',
    covered_days.totals_until
FROM computed
LEFT ANTI JOIN hours_with_totals
    ON computed.timeline_id = hours_with_totals.timeline_id
    AND computed.hour_local = hours_with_totals.hour_local
LEFT JOIN covered_days
    ON computed.timeline_id = covered_days.timeline_id
    AND day_of(computed.hour_local) = covered_days.day
WHERE covered_days.day IS NULL OR computed.hour_local >= covered_days.totals_until
