-- A row is a session in which a note was taken. The session starts in the local range [$start, $end), up to eight days
-- before this range, or up to a day after it. Sessions are not clipped to the range. Without notes, the function
-- returns no rows.
SELECT path, title, start_local, start_utc, end_local, end_utc
FROM optional_note_sessions
WHERE has_notes()
    AND start_local < $end + INTERVAL '1 day'
    -- No session is longer than 8 days.
    AND start_local > $start - INTERVAL '8 days'
