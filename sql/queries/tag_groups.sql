-- A row is the first level of a tag (for most people, a client) with its seconds in the range. Each second counts once.
-- The level with the most seconds comes first. The last row, without a name, is the total
-- (docs/spec/time.md#minutes-that-count-once).
WITH named AS (
    SELECT COALESCE(path[1], tag) AS tag, start_utc, end_utc
    FROM tags_in($start, $end)
)
SELECT tag, union_seconds(start_utc, end_utc) AS seconds
FROM named
GROUP BY GROUPING SETS ((tag), ())
ORDER BY tag IS NULL, seconds DESC, tag
