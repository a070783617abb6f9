-- A row is a tagged interval of the range, in order of time.
SELECT tag, path, is_billable, notes, start_local, end_local, seconds
FROM tags_in($start, $end)
ORDER BY start_utc, tag, end_utc, notes
