-- A row is the recorded time of one key of the role `$role` in one period (`$period`: 'hour' or 'day') of the local
-- range, of `$device` or all devices, in order of time; with what answered, and from when on ManicTime's totals are still
-- to come.
SELECT
    date_trunc($period, hour_local) AS period,
    key,
    min(name) AS name,
    min(color) AS color,
    sum(seconds) AS seconds,
    bool_or(data_source = 'hourly') AS from_totals,
    bool_or(data_source = 'activities' AND totals_until IS NULL) AS computed,
    min(totals_until) AS totals_until
FROM recorded_time($role, $start, $end)
WHERE $device IS NULL OR device = $device
GROUP BY 1, key
ORDER BY period, key
