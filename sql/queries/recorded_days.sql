-- A row is the recorded time of one key of the role `$role` on one local day, from ManicTime's hourly totals alone:
-- what is left of a range whose activities are no longer kept (semantics, section 6).
SELECT
    CAST(hour_local AS DATE) AS date,
    key,
    min(name) AS name,
    min(color) AS color,
    sum(seconds) AS seconds
FROM hourly_totals
WHERE role = $role AND hour_local >= $start AND hour_local < $end AND seconds > 0
    AND ($device IS NULL OR device = $device)
    -- Hourly totals cannot answer for parts of hours.
    AND to_unixtime($start) % 3600 = 0
    AND to_unixtime($end) % 3600 = 0
GROUP BY 1, key
ORDER BY date, seconds DESC, name
