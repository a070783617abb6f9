-- One row: the totals over the rows of the function `why`, for `$device` or all devices, and the number of ignored rows
-- (docs/spec/time.md#why).
SELECT
    COALESCE(sum(CASE WHEN $device IS NULL THEN shared_seconds ELSE 0 END), 0) AS shared_seconds,
    COALESCE(sum(not_in_use_seconds), 0) AS not_in_use_seconds,
    COALESCE(sum(hidden_seconds), 0) AS hidden_seconds,
    COALESCE(sum(call_seconds), 0) AS call_seconds,
    count(*) FILTER (WHERE reason IS NOT NULL) AS ignored_rows
FROM why($start, $end)
WHERE $device IS NULL OR device = $device
