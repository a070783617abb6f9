-- A row is a session of a note that was taken in the local range [$start, $end), in order of time.
SELECT
    path,
    title,
    start_local,
    end_local
FROM optional_note_sessions
WHERE has_notes()
    AND start_local < $end
    -- No session is longer than 8 days.
    AND start_local > $start - INTERVAL '8 days'
    AND end_local > $start
ORDER BY start_local, end_local, path
