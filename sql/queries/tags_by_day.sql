-- A row is the part of a tagged interval on one local day, in order of time (docs/spec/time.md#tagged-time).
WITH parts AS (
    SELECT tag, color, unnest(split_days(start_local, start_utc, end_local, end_utc)) AS part
    FROM tags_in($start, $end)
)
SELECT
    day_of(part['start_local']) AS date,
    tag AS name,
    color,
    part['start_local'] AS start_local,
    part['start_utc'] AS start_utc,
    part['end_local'] AS end_local,
    part['end_utc'] AS end_utc
FROM parts
ORDER BY start_utc, name, end_utc
