-- Returns the active intervals of applications in [$start, $end), split at local midnights, for the people `$people`.
-- The exports of these people cover all of these days.
SELECT person, name, date, start_utc, end_utc
FROM pieces_by_day('applications', $start, $end)
WHERE person IN ($people)
