-- One row: how the rows of the range count in total, for one device or all (docs/spec/time.md#why).
SELECT
    COALESCE(sum(CASE WHEN $device IS NULL THEN shared_seconds ELSE 0 END), 0) AS shared_seconds,
    COALESCE(sum(not_in_use_seconds), 0) AS not_in_use_seconds,
    COALESCE(sum(hidden_seconds), 0) AS hidden_seconds,
    COALESCE(sum(call_seconds), 0) AS call_seconds,
    count(*) FILTER (WHERE reason IS NOT NULL) AS ignored_rows
FROM why($start, $end)
WHERE $device IS NULL OR device = $device
