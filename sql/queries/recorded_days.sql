-- A row is the recorded time of one key of the role `$role` on one local day, from the tracker's hourly totals only. If
-- the activities of a range were deleted, only these totals are left (docs/spec/time.md#retention). If the range does
-- not start and end on whole hours, only hours for which no activities are left are included. Each of these hours
-- counts in full.
SELECT
    CAST(hour_local AS DATE) AS date,
    key,
    min(name) AS name,
    min(color) AS color,
    sum(seconds) AS seconds,
    bool_or(is_totals_only) AS is_totals_only
FROM hourly_totals_around($role, $start, $end)
WHERE hour_local > $start - INTERVAL '1 hour' AND hour_local < $end
    AND ($device IS NULL OR device = $device)
    AND (is_totals_only OR to_unixtime($start) % 3600 = 0 AND to_unixtime($end) % 3600 = 0)
GROUP BY 1, key
ORDER BY date, seconds DESC, name
