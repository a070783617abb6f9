-- A row is a session in which a note was taken, in the local range [$start, $end), in order of time.
SELECT
    path,
    title,
    start_local,
    end_local
FROM note_sessions_around($start, $end)
WHERE start_local < $end AND end_local > $start
ORDER BY start_local, end_local, path
