-- The segments that start in the month [$start, $end), whole and as in the whole history, in order of time: what may
-- belong to them is read from `$from` to `$until`, which lie outside of the month.
SELECT *
FROM narrative($from, $until)
WHERE start_local >= $start AND start_local < $end
ORDER BY start_local, device, start_utc
