-- A row is the part of a piece of the role `$role` on one local day, `date` (docs/spec/time.md#days-and-weeks).
WITH parts AS (
    SELECT
        device,
        activity_id,
        name,
        key,
        color,
        unnest(split_days(start_local, start_utc, end_local, end_utc)) AS part
    FROM role_pieces($role, $start, $end)
)
SELECT
    day_of(part['start_local']) AS date,
    device,
    activity_id,
    name,
    key,
    color,
    part['start_local'] AS start_local,
    part['start_utc'] AS start_utc,
    part['end_local'] AS end_local,
    part['end_utc'] AS end_utc,
    to_unixtime(part['end_utc']) - to_unixtime(part['start_utc']) AS seconds
FROM parts
