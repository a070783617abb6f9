-- A row is a block: what a person would name when asked for the day in a few lines. Blocks are segments (the function
-- `narrative`) into which interruptions under 5 minutes are absorbed. Those with less than 5 minutes of active time are
-- folded into one row `other` per device and local hour in which they start; `blocks` counts what a row holds. The seconds
-- of the rows add up to those of the segments (semantics, section 4). `$max_gap_minutes` is the gap over which pieces of
-- one application merge.
WITH placed AS (
    SELECT *, CASE WHEN seconds < 300 THEN date_trunc('hour', start_local) END AS folded_hour
    FROM narrative($start, $end, $max_gap_minutes, 5)
)
-- A group without `folded_hour` is one block, so that its first value is its value.
SELECT
    device,
    first_value(start_local ORDER BY start_utc) AS start_local,
    min(start_utc) AS start_utc,
    last_value(end_local ORDER BY end_utc) AS end_local,
    max(end_utc) AS end_utc,
    sum(seconds) AS seconds,
    CASE WHEN folded_hour IS NULL THEN first_value(application) ELSE 'other' END AS application,
    CASE WHEN folded_hour IS NULL THEN first_value(key) END AS key,
    CASE WHEN folded_hour IS NULL THEN first_value(color) END AS color,
    CASE WHEN folded_hour IS NULL THEN first_value(document) END AS document,
    CASE WHEN folded_hour IS NULL THEN first_value(website) END AS website,
    CASE WHEN folded_hour IS NULL THEN first_value(tags) END AS tags,
    CASE WHEN folded_hour IS NULL THEN first_value(title) END AS title,
    count(*) AS blocks
FROM placed
GROUP BY device, folded_hour, CASE WHEN folded_hour IS NULL THEN start_utc END
