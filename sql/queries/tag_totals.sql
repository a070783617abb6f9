-- A row is a full tag with its seconds in the range. Each second counts once. The tag with the most seconds comes first
-- (docs/spec/time.md#tagged-time).
SELECT tag, union_seconds(start_utc, end_utc) AS seconds
FROM tags_in($start, $end)
GROUP BY tag
ORDER BY seconds DESC, tag
