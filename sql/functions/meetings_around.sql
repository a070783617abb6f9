-- A row is a meeting that has a name and is not an all-day event, at most a day outside of the local range
-- [$start, $end). It is not clipped to the range. Without calendars, there are no rows.
SELECT meeting, start_local, start_utc, end_local, end_utc
FROM meetings
WHERE has_meetings()
    AND meeting IS NOT NULL
    AND NOT is_all_day
    AND start_local < $end + INTERVAL '1 day'
    -- Such a meeting lasts at most a day.
    AND start_local > $start - INTERVAL '2 days'
