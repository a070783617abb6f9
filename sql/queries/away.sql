-- A row is an interval away from the computer in the range, in order of time (docs/spec/time.md#away-intervals).
-- Intervals that end after the local time `$now` are left out.
SELECT day, start_local, end_local, seconds, state, is_break, tags, meetings, notes_taken
FROM away_intervals($start, $end)
WHERE end_local <= $now
ORDER BY start_utc
