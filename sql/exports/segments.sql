-- The segments that start in the month [$start, $end), whole and as in the whole history, in order of time.
SELECT *
FROM segments
WHERE start_local >= $start AND start_local < $end
ORDER BY start_local, device, start_utc
