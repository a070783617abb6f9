-- A row is a screenshot of the month [$start, $end), without its pixels, in order of time.
SELECT screenshot_ref, taken_local, taken_utc, width, height, sequence, monitor, has_image, has_thumbnail
FROM screenshots
WHERE taken_local >= $start AND taken_local < $end
ORDER BY taken_local, screenshot_ref
