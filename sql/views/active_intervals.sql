-- A row is an interval during which a device was in active use. Active states that touch or overlap are merged into one
-- interval (docs/spec/time.md#active-intervals).
WITH united AS (
    SELECT device, unnest(interval_union(start_local, start_utc, end_local, end_utc)) AS active
    FROM computer_usage
    WHERE state = 'active'
    GROUP BY device
)
SELECT
    device,
    active['start_local'] AS start_local,
    active['start_utc'] AS start_utc,
    active['end_local'] AS end_local,
    active['end_utc'] AS end_utc,
    to_unixtime(active['end_utc']) - to_unixtime(active['start_utc']) AS seconds
FROM united
