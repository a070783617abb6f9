-- A row is a session in which a note was taken, in the local range [$start, $end), in order of time. The session
-- overlaps matching time. This is active time of `$device` or of all devices that matches the filter, or the time of a
-- matching tag (decision 0015).
WITH matching AS (
    SELECT start_utc, end_utc
    FROM role_pieces('applications', $start, $end)
    WHERE $device IS NULL OR device = $device
    UNION ALL
    SELECT start_utc, end_utc
    FROM tags_in($start, $end)
)
SELECT notes.path, notes.title, notes.start_local, notes.end_local
FROM note_sessions_around($start, $end) AS notes
LEFT SEMI JOIN matching ON notes.start_utc < matching.end_utc AND notes.end_utc > matching.start_utc
WHERE notes.start_local < $end AND notes.end_local > $start
ORDER BY notes.start_local, notes.end_local, notes.path
