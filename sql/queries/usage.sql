-- A row is the recorded time of one key of the role `$role` in one hour or day of the local range, in order of time.
-- `$period` is 'hour' or 'day'. The period of a day is the midnight of its date. The rows cover `$device` or all
-- devices. `from_totals` is true if some of the time comes from hourly totals. `computed` is true if some of the time
-- comes from activities, unless that time is after `totals_until`. `is_totals_only` is true if activities were deleted
-- for some or all of the time. `totals_until` is the time at which the totals end, if they end early on a day.
SELECT
    CASE WHEN $period = 'day' THEN CAST(day_of(hour_local) AS TIMESTAMP(0)) ELSE hour_local END AS period,
    key,
    min(name) AS name,
    min(color) AS color,
    sum(seconds) AS seconds,
    bool_or(is_totals_only) AS is_totals_only,
    bool_or(data_source = 'hourly') AS from_totals,
    bool_or(data_source = 'activities' AND totals_until IS NULL) AS computed,
    min(totals_until) AS totals_until
FROM recorded_time($role, $start, $end)
WHERE $device IS NULL OR device = $device
GROUP BY 1, key
ORDER BY period, key
