-- A row is the first screenshot with an image in each five minutes from `$start_utc` to `$end_utc`. Screenshots without
-- a UTC time in their file name are left out. By the clock of every device, the local range [$start, $end) must contain
-- the time from `$start_utc` to `$end_utc`.
SELECT
    'screenshot' AS kind,
    first_value(screenshot_ref ORDER BY taken_local, monitor) AS name,
    CAST(NULL AS BIGINT) AS seconds,
    min(taken_local) AS start_local,
    min(taken_local) AS end_local
FROM screenshots
WHERE taken_local >= $start
    AND taken_local < $end
    AND taken_utc >= $start_utc
    AND taken_utc < $end_utc
    AND (has_image OR has_thumbnail)
GROUP BY date_bin(INTERVAL '5 minutes', taken_local)
