-- A row is a part of an application's active interval within one local day of [$start, $end), for the people `$people`, whose
-- exports cover all of these days.
SELECT person, name, date, start_utc, end_utc
FROM pieces_by_day('applications', $start, $end)
WHERE person IN ($people)
