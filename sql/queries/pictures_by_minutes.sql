-- One screenshot of each five minutes of the local range [$start, $end), the first that has a picture.
SELECT
    'screenshot' AS kind,
    first_value(screenshot_ref ORDER BY taken_local, monitor) AS name,
    CAST(NULL AS BIGINT) AS seconds,
    min(taken_local) AS start_local,
    min(taken_local) AS end_local
FROM screenshots
WHERE taken_local >= $start AND taken_local < $end AND (has_image OR has_thumbnail)
GROUP BY date_bin(INTERVAL '5 minutes', taken_local)
