-- A row is a meeting that starts in the local range [$start, $end), up to two days before this range, or up to a day
-- after it. All-day events and meetings without a name are left out. Meetings are not clipped to the range. Without
-- calendars, the function returns no rows.
SELECT meeting, start_local, start_utc, end_local, end_utc
FROM meetings
WHERE has_meetings()
    AND meeting IS NOT NULL
    AND NOT is_all_day
    AND start_local < $end + INTERVAL '1 day'
    -- A meeting that is not an all-day event lasts at most a day.
    AND start_local > $start - INTERVAL '2 days'
