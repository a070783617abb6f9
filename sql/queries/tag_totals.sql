-- A row is a full tag list with its seconds in the range, most first.
SELECT tag, sum(seconds) AS seconds
FROM tags_in($start, $end)
GROUP BY tag
ORDER BY seconds DESC, tag
