-- A row is a weekday that occurs in [$start, $end), with the active seconds of its days. 0 is Sunday, 6 is Saturday.
-- Weekdays without activity are listed with 0 (docs/spec/time.md#days-and-weeks).
WITH first_week AS (
    -- The first seven days of a range contain every weekday that occurs in the range.
    SELECT least($end, $start + INTERVAL '7 days') AS until
),
calendar AS (
    SELECT unnest(split_days($start, $start, until, until)) AS day
    FROM first_week
),
weekdays AS (
    SELECT DISTINCT CAST(date_part('dow', day_of(day['start_local'])) AS BIGINT) AS weekday
    FROM calendar
),
active AS (
    SELECT CAST(date_part('dow', date) AS BIGINT) AS weekday, sum(active_seconds) AS active_seconds
    FROM day_summary($start, $end)
    GROUP BY 1
)
SELECT weekday, COALESCE(active_seconds, 0) AS active_seconds
FROM weekdays
LEFT JOIN active USING (weekday)
